"""Sources of others: the list, and what is said where an archive is not the one of the list or cannot be had."""

import io
import tarfile

import pytest
import sbom
import thirdparty


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A list of one package, and a folder without its archive."""
    monkeypatch.setattr(thirdparty, "ROOT", tmp_path)
    monkeypatch.setattr(thirdparty, "LIST", tmp_path / "list.txt")
    monkeypatch.setattr(thirdparty, "FOLDER", tmp_path)
    monkeypatch.setattr(thirdparty, "ARCHIVES", tmp_path / "archives")
    monkeypatch.setattr(thirdparty, "SOURCE", tmp_path / "source")
    (tmp_path / "archives").mkdir()
    return tmp_path


def pack(folder, text=b"int x;\n"):
    """Packs an archive of a licence and a file, and lists it; the path of the archive."""
    path = folder / "archives/a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, data in {"a-1/LICENSE": b"free\n", "a-1/src/x.c": text, "a-1/y.c": b""}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    listed = f"a 1 MIT trixie/a a.tar.gz {thirdparty.sha256(path)}\n  LICENSE src/*.c\n"
    (folder / "list.txt").write_text(listed)
    return path


def test_the_list():
    packages = thirdparty.packages()
    names = [package.name for package in packages]
    assert names == ["expat", "qhull", "zlib", "libpng", "cjson", "amd", "cmocka"]
    assert all(len(package.sha256) == 64 and len(package.files) > 1 for package in packages)


def test_what_is_there_is_not_fetched(folder, monkeypatch):
    pack(folder)
    monkeypatch.setattr(thirdparty, "fetch", None)
    thirdparty.provide()
    assert (folder / "source/a/src/x.c").read_text() == "int x;\n"
    assert not (folder / "source/a/y.c").exists()
    (folder / "archives/a.tar.gz").unlink()
    thirdparty.provide()


def test_another_archive(folder):
    path = pack(folder)
    ours = thirdparty.sha256(path)
    listed = (folder / "list.txt").read_text()
    pack(folder, b"int y;\n")
    (folder / "list.txt").write_text(listed)
    with pytest.raises(thirdparty.Refusal) as refusal:
        thirdparty.provide()
    for part in (str(path), ours, thirdparty.sha256(path), "Remove the file"):
        assert part in str(refusal.value)
    assert not (folder / "source").exists()


def test_a_file_that_the_archive_lacks(folder):
    pack(folder)
    with (folder / "list.txt").open("a") as file:
        file.write("  lib/z.c\n")
    with pytest.raises(thirdparty.Refusal, match=r"has no lib/z\.c"):
        thirdparty.provide()


def test_no_apt(folder, monkeypatch):
    pack(folder).unlink()
    monkeypatch.setattr(thirdparty.shutil, "which", lambda name: None)
    with pytest.raises(thirdparty.Refusal, match="put a.tar.gz into .*archives by hand"):
        thirdparty.provide()


def test_no_network(folder, monkeypatch):
    pack(folder).unlink()
    monkeypatch.setattr(thirdparty.shutil, "which", lambda name: name)
    monkeypatch.setattr(thirdparty, "run_apt", lambda *command: False)
    with pytest.raises(thirdparty.Refusal, match=r"is there a network\?"):
        thirdparty.provide()


def test_bill_of_materials():
    text = sbom.document("1.2.3")
    assert text == sbom.document("1.2.3")
    assert '"name": "qhull"' in text and "cmocka" not in text and '"version": "1.2.3"' in text
