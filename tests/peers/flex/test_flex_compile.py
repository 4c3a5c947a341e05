"""What a flex of the text becomes in the model, field by field against the newest engine."""

import numpy as np
import pytest

import flexes
from newest_pair import Pair

FIELDS = """contype conaffinity condim priority solmix solref solimp friction margin gap selfcollide activelayers dim group
vertadr vertnum edgeadr edgenum elemadr elemnum elemdataadr elemedgeadr shellnum shelldataadr texcoordadr radius size
damping edgestiffness edgedamping edgeequality rigid centered flatskin rgba vertbodyid vert vert0 edge elem elemtexcoord
elemedge elemlayer matid shell texcoord edgeflap bendingadr bending""".split()
EDGES = "flexedge_length0 flexedge_invweight0 flexedge_rigid".split()
STRETCH = 2  # a bit of elastic2d


def wave(places):
    """Curves a sheet, bends a block."""
    return places + 0.03 * np.sin(7 * places[:, [1, 2, 0]])


def same(pair, name):
    ours, theirs = np.asarray(getattr(pair.model, name)), np.asarray(getattr(pair.peer, name))
    assert ours.size == theirs.size, name
    scale = max(1, abs(theirs).max(initial=0))
    np.testing.assert_allclose(
        ours.reshape(theirs.shape), theirs, rtol=1e-10, atol=1e-12 * scale, err_msg=name
    )


def rows(m):
    """Dofs of each edge; the peer has those of rigid edges, too."""
    adr, num = np.ravel(m.flexedge_J_rowadr), np.ravel(m.flexedge_J_rownnz)
    dofs, rigid = np.ravel(m.flexedge_J_colind), np.ravel(m.flexedge_rigid)
    return [() if r else tuple(dofs[a : a + n]) for a, n, r in zip(adr, num, rigid, strict=True)]


def same_stiffness(pair, adr, theirs):
    """Ours keeps less of each element."""
    for flex in np.flatnonzero(adr >= 0):
        ours, count = (
            flexes.stiffness(pair.model, flex),
            int(np.ravel(pair.model.flex_elemnum)[flex]),
        )
        each = 24 if np.ravel(pair.model.flex_dim)[flex] == 3 else 21
        K = np.ravel(pair.peer.flex_stiffness)[theirs[flex] :][: each * count].reshape(count, each)
        scale = max(1, abs(K).max())
        np.testing.assert_allclose(ours, K[:, :21], rtol=1e-10, atol=1e-12 * scale)


def compare(text):
    """Both models of a text. The peer has zeros in flex_stiffness where nothing stretches, we have nothing."""
    pair = Pair(text)
    for name in [f"flex_{field}" for field in FIELDS] + EDGES:
        same(pair, name)
    assert rows(pair.model) == rows(pair.peer)
    adr = np.ravel(pair.model.flex_stiffnessadr)
    theirs = np.ravel(pair.peer.flex_stiffnessadr)
    if (adr >= 0).any():
        assert np.array_equal(adr >= 0, theirs >= 0)
        same_stiffness(pair, adr, theirs)
    elif (theirs >= 0).any():
        assert not pair.peer.flex_stiffness.any()
        assert (adr == -1).all()
    return pair


@pytest.mark.parametrize("counts", [(5,), (4, 3), (3, 3, 4)])
@pytest.mark.parametrize("rest", ["", flexes.held()], ids=["free", "held"])
def test_grids(counts, rest):
    for pinned in ((), (0, 2)):
        compare(flexes.grid(counts, shape=wave, pinned=pinned, rest=rest))


@pytest.mark.parametrize("ways", ["none", "bend", "stretch", "both"])
@pytest.mark.parametrize("shape", [None, wave], ids=["flat", "curved"])
def test_sheets(ways, shape):
    soft = (
        f'<elasticity young="3e5" poisson="0.2" thickness="0.01" damping="0.1" elastic2d="{ways}"/>'
    )
    compare(flexes.grid((4, 5), shape=shape, children=soft))


def test_solids():
    compare(flexes.grid((4, 3, 3), shape=wave, children=flexes.SOFT))


ARM = """
<body name="arm" pos="0 0 .1" euler="10 20 30"><joint axis="0 1 0"/><geom size=".05" pos=".1 0 0"/>
  <body name="hand" pos=".3 0 0"><joint axis="0 0 1"/><geom size=".05" pos=".1 0 0"/>
    <body name="tip" pos=".1 .05 0" quat="1 .2 .1 0"/></body></body>
<body name="free" pos="1 0 0"><freejoint/><geom size=".1" pos=".1 .2 .3"/></body>
<body name="fixed" pos="0 1 0"/><body name="moved" mocap="true" pos="0 2 0"/>
"""
BODIES = {0: "arm", 1: "hand", 4: "tip", 5: "free", 6: "world", 7: "fixed"}
DAMPED = '<edge damping="1"/>'


@pytest.mark.parametrize("counts", [(8,), (4, 3), (3, 3, 2)])
@pytest.mark.parametrize(("rest", "children"), [(flexes.held(), ""), ("", DAMPED)])
def test_any_bodies(counts, rest, children):
    bodies = BODIES | {3: "moved"}
    compare(flexes.grid(counts, world=ARM, bodies=bodies, rest=rest, children=children))


@pytest.mark.parametrize("children", [flexes.SHEET, flexes.SHEET + DAMPED])
def test_elastic_sheets_on_any_bodies(children):
    way = 'fusestatic="true" discardvisual="true" alignfree="true"'
    rest = f'<compiler {way}/><asset><material name="other"/><material name="cloth"/></asset>'
    for more in ("", rest):
        look = 'material="cloth"' if more else ""
        text = flexes.grid(
            (4, 3), world=ARM, bodies=BODIES, children=children, rest=more, attributes=look
        )
        compare(text)


def test_several():
    parts = (
        flexes.part((3, 4), children=flexes.SHEET, shape=wave),
        flexes.part((2, 3, 3), name="g", offset=(0, 0, 1), children=flexes.SOFT),
        flexes.part((4,), name="h", offset=(0, 0, 2)),
        flexes.part((3, 2), name="i", offset=(0, 0, 3)),
    )
    compare(flexes.model(*parts, rest=flexes.held("h")))


RIGID = '<flex name="f" dim="{}" body="arm" vertex="{}" element="{}"/>'


@pytest.mark.parametrize("counts", [(5,), (4, 3), (3, 3, 2)])
def test_rigid_ones(counts):
    vertex = " ".join(f"{x:.17g}" for x in wave(flexes.points(counts)).ravel())
    element = " ".join(map(str, flexes.elements(counts).ravel()))
    flex = RIGID.format(len(counts), vertex, element)
    compare(f"<mujoco><worldbody>{ARM}</worldbody><deformable>{flex}</deformable></mujoco>")


# Elements that share a side with more than one other, that stand alone, that are the same.
@pytest.mark.parametrize(
    ("dim", "element"),
    [
        (2, "0 1 2 0 1 3 0 1 4"),
        (2, "0 1 2 3 4 5"),
        (2, "0 1 2 1 2 3"),
        (2, "0 1 2 2 1 0"),
        (3, "0 1 2 3 0 1 2 4 0 1 2 5"),
        (1, "0 1 0 2 0 3 4 5"),
        (1, "0 1 1 2 2 0"),
    ],
)
def test_odd_shapes(dim, element):
    part = flexes.part((2, 3), shape=wave, children=DAMPED)
    flex = part.flex.split('element="')[0].replace('dim="2"', f'dim="{dim}"')
    part.flex = f'{flex} element="{element}">{DAMPED}</flex>'
    compare(flexes.model(part))


def test_shells_are_closed():
    m = Pair(flexes.grid((3, 4, 4), shape=wave, children=flexes.SOFT)).model
    shells = np.reshape(m.flex_shell, (-1, 3))
    assert len(shells) == 2 * 2 * (2 * 3 + 2 * 3 + 3 * 3)
    ways = {(a, b) for s in shells for a, b in zip(s, np.roll(s, -1), strict=True)}
    assert len(ways) == 3 * len(shells)  # each once in either direction: all are seen from outside
    assert all((b, a) in ways for a, b in ways)


def test_layers_are_steps_to_the_outside():
    m = Pair(flexes.grid((6, 6, 6), children=flexes.SOFT)).model
    elements, layer = np.reshape(m.flex_elem, (-1, 4)), np.ravel(m.flex_elemlayer)
    sides = [{frozenset(e) - {v} for v in e} for e in elements]
    shells = {frozenset(s) for s in np.reshape(m.flex_shell, (-1, 3))}
    for e, own in enumerate(sides):
        beside = [layer[k] for k in range(len(sides)) if k != e and own & sides[k]]
        assert layer[e] == (0 if own & shells else 1 + min(beside))
    assert layer.max() > 2


def test_flat_hinges_do_not_resist_what_keeps_them_flat():
    m = Pair(
        flexes.grid(
            (4, 5), shape=lambda x: x * [1, 1.3, 0] + 0.2 * x[:, [1, 0, 2]], children=flexes.SHEET
        )
    ).model
    places = np.reshape(m.flex_vert0, (-1, 3)) * np.reshape(m.flex_size, 3)
    bending = np.reshape(m.flex_bending, (-1, 17))
    hinges = np.hstack([np.reshape(m.flex_edge, (-1, 2)), np.reshape(m.flex_edgeflap, (-1, 2))])
    inner = hinges[:, 3] >= 0
    Q = bending[inner, :16].reshape(-1, 4, 4)
    x = np.pad(places, ((0, 0), (0, 1)), constant_values=1)[hinges[inner]]
    assert abs(Q @ x).max() < 1e-13 * abs(Q).max()
    assert (np.linalg.eigvalsh(Q)[:, :3] > -1e-14 * abs(Q).max()).all()
    assert not bending[:, 16].any()
    assert not bending[~inner].any()
