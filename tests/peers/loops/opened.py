"""Models whose loops need not close at qpos0, and starts that are not assembled: the test sets the state."""

import re

import sinew

EQUALITY = 2  # of the disable flags


def model(text, physics=None):
    """The model of a text; loops are off while it is compiled."""
    off = '<option><flag equality="disable"/></option>'
    text = re.sub(r"<mujoco[^>]*>", lambda tag: tag[0] + off, text, count=1)
    m = sinew.Model.from_xml(text, physics=physics)
    m.opt.disableflags &= ~EQUALITY
    return m


def data(m):
    """Fresh data at qpos0, whatever loops say."""
    flags = m.opt.disableflags
    m.opt.disableflags = flags | EQUALITY
    d = sinew.Data(m)
    m.opt.disableflags = flags
    return d
