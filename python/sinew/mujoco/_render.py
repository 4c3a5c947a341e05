"""Where the peer has MjrContext, MjrRect and mjr_...; programs import from there, too. The package fills it."""
