"""What mj_printSchema prints, read."""


def attributes(text):
    """Attributes of every element by its path, <mujoco> first."""
    found, above = {}, []
    for line in text.splitlines():
        head, names = line[:30], line[30:].split()
        if head.strip():
            depth = (len(head) - len(head.lstrip())) // 3
            above = [*above[:depth], head.split()[0]]
        found.setdefault("/".join(above), []).extend(names)
    return found
