"""Pictures of simulations: what there is to see, from where, and what becomes of it: arrays, files, films.

`sinew.draw` draws; nothing of it is imported here before somebody draws.
"""
