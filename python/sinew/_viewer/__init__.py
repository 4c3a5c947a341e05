"""The process that serves the pages of a viewer: `python -m sinew._viewer`, begun by `sinew.viewer`.

It has a copy of the model and of the newest state, from which it makes for each page what there is to draw. No page costs
the simulation anything.
"""
