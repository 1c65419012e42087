"""Pictures that are made for checks, as files that a browser uploads."""

import io

from PIL import Image, ImageDraw


def poster(width, height, colours, caption, format="JPEG"):
    """A picture with soft colours and shapes, for people to look at."""
    image = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(image)
    for line in range(height):
        part = line / height
        draw.line([(0, line), (width, line)], fill=tuple(int(a + (b - a) * part) for a, b in zip(*colours)))
    for number in range(5):
        middle, radius = width * (number + 1) // 6, height // (4 + number % 3)
        draw.ellipse(
            [middle - radius, height // 2 - radius, middle + radius, height // 2 + radius],
            outline="white",
            width=max(2, width // 160),
        )
    exif = Image.Exif()
    exif[0x010F] = caption
    data = io.BytesIO()
    image.save(data, format, **({"exif": exif, "quality": 90} if format == "JPEG" else {}))
    return data.getvalue()


def file(name, data, kind="image/jpeg"):
    return {"name": name, "mimeType": kind, "buffer": data}
