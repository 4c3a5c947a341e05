"""Steps and rollouts as functions of PyTorch, with gradients by the adjoint of each step.

A state is a tensor (qpos, qvel, act) of nq + nv + na numbers in float64. Leading dimensions are a batch, gone through
one by one; those of the arguments are broadcast. Gradients are first ones only.

>>> import torch
>>> import sinew.torch
>>> model = sinew.Model.from_xml("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
>>> state = torch.tensor([0, 0, 1, 1, 0, 0, 0] + [0] * 6, dtype=torch.float64, requires_grad=True)
>>> states, sensors = sinew.torch.rollout(model, state, torch.empty(100, 0, dtype=torch.float64))
>>> states[-1, 2].backward()
>>> round(state.grad[9].item(), 6)  # of the height by the velocity upwards
0.2
"""

from __future__ import annotations

from typing import Any

try:
    import torch
except ImportError as error:
    from ._extra import install

    raise ImportError(f"sinew.torch needs PyTorch: {install('torch')}") from error

from ._autodiff import Rollouts
from ._core import NotSupportedError
from ._types import Data, Model

__all__ = ["rollout", "step"]


def step(
    model: Model,
    state: torch.Tensor,
    ctrl: torch.Tensor,
    qfrc_applied: torch.Tensor | None = None,
    *,
    data: Data | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """One step: the next state (..., nq + nv + na) and the sensors (..., nsensordata) of the state before it.

    Parameters
    ----------
    state, ctrl, qfrc_applied, data
        As for `rollout`, of one step: (..., nu), (..., nv).
    """
    force = None if qfrc_applied is None else qfrc_applied[..., None, :]
    states, sensors = rollout(model, state, ctrl[..., None, :], force, data=data)
    return states[..., 0, :], sensors[..., 0, :]


def rollout(
    model: Model,
    state: torch.Tensor,
    ctrl: torch.Tensor,
    qfrc_applied: torch.Tensor | None = None,
    *,
    data: Data | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """T steps: the states (..., T, nq + nv + na) after each, the sensors (..., T, nsensordata) of those before.

    Parameters
    ----------
    state : (..., nq + nv + na)
        Where it begins; quaternions count by their direction.
    ctrl : (..., T, nu)
        Controls of the steps.
    qfrc_applied : (..., T, nv), optional
        Forces of the steps; else those of `data` all along.
    data : Data, optional
        Has all else that steps depend on, as it is now: time, mocap poses, `xfrc_applied`, `eq_active`, warm start.
        Else that is as in a new Data. It is not changed.
    """
    rollouts = Rollouts(model, data)
    start, force = map(torch.from_numpy, rollouts.start())
    if qfrc_applied is None:
        qfrc_applied = force.expand(*ctrl.shape[-2:-1], -1)
    for name, tensor in (("state", state), ("ctrl", ctrl), ("qfrc_applied", qfrc_applied)):
        if tensor.dtype != torch.float64:
            raise TypeError(f"{name} is {tensor.dtype}, must be torch.float64: {name}.double()")
        if tensor.device.type != "cpu":
            raise ValueError(f"{name} is on {tensor.device}, must be on the CPU: {name}.cpu()")
    batch = rollouts.batch(state.shape, ctrl.shape, qfrc_applied.shape)
    steps = (tensor.expand(*batch, -1, -1) for tensor in (ctrl, qfrc_applied))
    return _Rollout.apply(rollouts, start.expand(*batch, -1), state.expand(*batch, -1), *steps)


def _vmap(function: type, info: Any, in_dims: Any, rollouts: Rollouts, tensors: Any) -> Any:
    """The function with one more leading dimension."""
    led = [
        t.expand(info.batch_size, *t.shape) if dim is None else t.movedim(dim, 0)
        for t, dim in zip(tensors, in_dims[1:], strict=True)
    ]
    outputs = function.apply(rollouts, *led)
    return outputs, (0,) * len(outputs)


class _Rollout(torch.autograd.Function):
    @staticmethod
    def forward(rollouts, *tensors):
        outputs = rollouts.run(*(t.detach().numpy() for t in tensors))
        return tuple(torch.from_numpy(a) for a in outputs)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.rollouts = inputs[0]
        ctx.save_for_backward(*inputs[1:], output[0])

    @staticmethod
    def backward(ctx, by_states, by_sensors):
        return None, None, *_Gradient.apply(ctx.rollouts, *ctx.saved_tensors, by_states, by_sensors)

    @staticmethod
    def vmap(info, in_dims, rollouts, *tensors):
        return _vmap(_Rollout, info, in_dims, rollouts, tensors)


class _Gradient(torch.autograd.Function):
    @staticmethod
    def forward(rollouts, *tensors):
        outputs = rollouts.gradient(*(t.detach().numpy() for t in tensors))
        return tuple(torch.from_numpy(a) for a in outputs)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, *_):
        raise NotSupportedError("sinew.torch: a rollout has first derivatives only")

    @staticmethod
    def vmap(info, in_dims, rollouts, *tensors):
        return _vmap(_Gradient, info, in_dims, rollouts, tensors)
