"""One moment drawn in six ways."""

from PIL import Image

import sinew
from _studio import MODELS, camera, caption, colours, draw, furnish, hide_floors, save
from sinew.picture.artist import Artist
from sinew.picture.looks import Look

SIZE = (264, 264)


def numbers(kind: str) -> Image.Image:
    """Distances or objects, which `sinew render` makes such pictures of."""
    with Artist(model, *SIZE, eye, Look(), "fine", kind) as artist:
        return Image.fromarray(artist.pixels(data))


def wires() -> Image.Image:
    """Edges alone, of shapes with few of them."""
    model.vis.quality.numslices, model.vis.quality.numstacks = 12, 6
    picture = draw(model, data, eye, SIZE, ("wireframe", "no-shadow"))
    model.vis.quality.numslices, model.vis.quality.numstacks = 64, 32
    return picture


spec = sinew.Spec.from_path(MODELS / "humanoid.xml")
colours(spec)
hide_floors(spec)
spec.section("visual/map").force = 0.03
spec.section("visual/scale").forcewidth = 0.06
model = furnish(spec).compile()
data = sinew.Data(model)
sinew.step(model, data, nstep=160)
sinew.forward(model, data)
eye = camera(model, [0.1, 0, 0.55], 2.4, 130, -12)
pictures = [
    caption(draw(model, data, eye, SIZE), "as it is"),
    caption(
        draw(model, data, eye, SIZE, ("contactforce", "contactpoint", "com", "transparent")),
        "forces",
    ),
    caption(draw(model, data, eye, SIZE, ("joint", "transparent")), "joints"),
    caption(wires(), "wireframe"),
    caption(numbers("depth"), "--depth"),
    caption(numbers("segmentation"), "--segmentation"),
]
sheet = Image.new("RGB", (3 * SIZE[0] + 8, 2 * SIZE[1] + 4), "white")
for k, picture in enumerate(pictures):
    sheet.paste(picture, ((k % 3) * (SIZE[0] + 4), (k // 3) * (SIZE[1] + 4)))
save(sheet, dots=False)
