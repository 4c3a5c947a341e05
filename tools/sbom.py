"""What is linked into a wheel, as a CycloneDX 1.6 document: made of cmake/thirdparty.txt alone, the same bytes each time."""

import json
import uuid

import thirdparty


def component(package):
    """A library of the list."""
    return {
        "type": "library",
        "bom-ref": f"{package.name}@{package.version}",
        "name": package.name,
        "version": package.version,
        "purl": f"pkg:generic/{package.name}@{package.version}",
        "licenses": [{"license": {"id": package.licence}}],
        "hashes": [{"alg": "SHA-256", "content": package.sha256}],
    }


def document(version):
    """The text for a wheel of this version of Sinew."""
    libraries = [component(p) for p in thirdparty.packages() if p.name not in thirdparty.FOR_TESTS]
    root = f"sinew-sim@{version}"
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": root,
                "name": "sinew-sim",
                "version": version,
                "purl": f"pkg:pypi/{root}",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": libraries,
        "dependencies": [{"ref": root, "dependsOn": [library["bom-ref"] for library in libraries]}],
    }
    # a name for the document that follows from what it says
    content["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content)).urn
    return json.dumps(content, indent=1) + "\n"
