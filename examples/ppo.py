"""Proximal policy optimisation (Schulman et al. 2017) on a vector environment of gymnasium's, with PyTorch.

The clipped objective, generalised advantage estimation, observations normalised by what was seen so far. The
environments reset themselves in the step in which they end (gymnasium's SAME_STEP).
"""

import collections
import dataclasses
import os
import pathlib
import pickle
import time

import numpy as np
import torch
from torch import nn


@dataclasses.dataclass
class Settings:
    """What does not depend on the environment."""

    samples: int = 8192  # steps of all environments between two improvements of the policy
    epochs: int = 10  # times that each sample is learnt from
    minibatch: int = 512
    rate: float = 1e-3  # of Adam
    discount: float = 0.99
    trace: float = 0.95  # lambda of the advantages
    clip: float = 0.2
    reward_scale: float = 0.02
    width: int = 64  # of both layers of both networks


class Normaliser:
    """Observations less their mean, over their deviation: of all that were seen by the last update."""

    def __init__(self, size):
        self.count, self.mean, self.squares = 0, np.zeros(size), np.zeros(size)

    def update(self, seen):
        count = self.count + len(seen)
        mean = seen.mean(axis=0)
        between = np.square(mean - self.mean) * self.count * len(seen) / count
        self.squares += np.square(seen - mean).sum(axis=0) + between
        self.mean += (mean - self.mean) * len(seen) / count
        self.count = count

    def __call__(self, observations):
        deviation = np.sqrt(self.squares / max(self.count, 1)) + 1e-6
        near = np.clip((observations - self.mean) / deviation, -10, 10)
        return torch.as_tensor(near, dtype=torch.float32)


def network(inputs, width, outputs, last):
    """Two layers of tanh; the last weights are small where the answer shall begin near zero."""
    sizes = (inputs, width, width, outputs)
    layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:], strict=False)]
    for layer, gain in zip(layers, (2**0.5, 2**0.5, last), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


class Agent(nn.Module):
    """A policy, normal around the answer of a network, and the value of states."""

    def __init__(self, inputs, actions, width):
        super().__init__()
        self.actor = network(inputs, width, actions, 0.01)
        self.critic = network(inputs, width, 1, 1.0)
        self.log_deviation = nn.Parameter(torch.full((actions,), -0.5))

    def policy(self, observations):
        return torch.distributions.Normal(
            self.actor(observations), self.log_deviation.exp(), validate_args=False
        )

    def value(self, observations):
        return self.critic(observations)[..., 0]


def estimate(values, rewards, ended, following, discount, trace):
    """Generalised advantages [steps, environments]; `following` are the values after the last step."""
    advantages, advantage = torch.zeros_like(values), 0.0
    for t in reversed(range(len(values))):
        on = discount * (~ended[t]).to(values.dtype)
        surprise = rewards[t] + on * following - values[t]
        advantage = surprise + on * trace * advantage
        advantages[t], following = advantage, values[t]
    return advantages


class Learner:
    """An agent in its environments, and the statistics of their episodes."""

    def __init__(self, envs, seed, settings=None):
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # networks so small gain nothing from more
        self.envs, self.settings = envs, settings or Settings()
        size, actions = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
        self.agent = Agent(size, actions, self.settings.width)
        self.adam = torch.optim.Adam(
            self.agent.parameters(), self.settings.rate, eps=1e-5, fused=True
        )
        self.normal = Normaliser(size)
        self.now, _ = envs.reset(seed=seed)
        self.normal.update(self.now)
        self.sums = np.zeros(envs.num_envs)
        self.returns = collections.deque(maxlen=100)  # of the last episodes
        self.environment_seconds = 0.0
        self.updates, self.seconds = 0, 0.0  # so far
        self.rows = []  # of what `train` has yielded, for whoever keeps it

    def state(self):
        """All that training goes on from, to the bit: policy, optimiser, environments, statistics, random numbers."""
        kept = ("envs", "settings", "normal", "now", "sums", "returns")
        kept += ("environment_seconds", "updates", "seconds", "rows")
        parts = {"agent": self.agent.state_dict(), "adam": self.adam.state_dict()}
        return {**parts, "random": torch.get_rng_state(), **{k: getattr(self, k) for k in kept}}

    def restore(self, state):
        """Go on from a state of another learner with the same kind of environments, which are taken from it."""
        for key, value in state.items():
            if key in ("agent", "adam"):
                getattr(self, key).load_state_dict(value)
            elif key != "random":
                setattr(self, key, value)
        torch.set_rng_state(state["random"])

    def save(self, path):
        """Write the state. The file is the old one or the new one at any time, whatever ends the program."""
        part = pathlib.Path(f"{path}.part")
        with part.open("wb") as file:
            pickle.dump(self.state(), file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def load(self, path):
        """Restore what `save` wrote. Unpickling runs what the file says: load only files of your own."""
        self.restore(pickle.loads(pathlib.Path(path).read_bytes()))

    @torch.no_grad()
    def act(self, observations):
        """The actions that the policy finds best."""
        return self.agent.actor(self.normal(observations)).numpy()

    def step(self, action):
        """Rewards, to which the value of the rest is added where an episode was cut for its length, and ends."""
        low, high = self.envs.single_action_space.low, self.envs.single_action_space.high
        begin = time.perf_counter()
        self.now, rewards, fallen, cut, infos = self.envs.step(np.clip(action.numpy(), low, high))
        self.environment_seconds += time.perf_counter() - begin
        self.sums += rewards
        ended = fallen | cut
        self.returns.extend(self.sums[ended])
        self.sums[ended] = 0
        rewards = rewards * self.settings.reward_scale
        if (cut & ~fallen).any():
            last = np.stack(infos["final_obs"][cut & ~fallen])
            rest = self.agent.value(self.normal(last)).numpy()
            rewards[cut & ~fallen] += self.settings.discount * rest
        return torch.as_tensor(rewards, dtype=torch.float32), torch.as_tensor(ended)

    @torch.no_grad()
    def collect(self):
        """Observations, actions, their log-probabilities, advantages and returns of one run of all environments."""
        rows, seen = [], []
        for _ in range(self.settings.samples // self.envs.num_envs):
            seen.append(self.now)
            observation = self.normal(self.now)
            policy = self.agent.policy(observation)
            action = policy.sample()
            likely = policy.log_prob(action).sum(-1)
            value = self.agent.value(observation)
            rows.append((observation, action, likely, value, *self.step(action)))
        following = self.agent.value(self.normal(self.now))
        self.normal.update(np.concatenate(seen))
        observations, actions, likely, values, rewards, ended = map(
            torch.stack, zip(*rows, strict=True)
        )
        discount, trace = self.settings.discount, self.settings.trace
        advantages = estimate(values, rewards, ended, following, discount, trace)
        columns = observations, actions, likely, advantages, advantages + values
        return [column.flatten(0, 1) for column in columns]

    def improve(self, columns):
        """Epochs of the clipped objective in shuffled minibatches."""
        s, count = self.settings, len(columns[0])
        for _ in range(s.epochs):
            for which in torch.randperm(count).split(s.minibatch):
                observations, actions, likely, advantages, goals = (c[which] for c in columns)
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                ratio = (self.agent.policy(observations).log_prob(actions).sum(-1) - likely).exp()
                held = ratio.clamp(1 - s.clip, 1 + s.clip)
                gain = torch.minimum(ratio * advantages, held * advantages).mean()
                miss = (self.agent.value(observations) - goals).square().mean()
                self.adam.zero_grad()
                (0.5 * miss - gain).backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.adam.step()

    def train(self, steps, seconds=np.inf):
        """Learn up to so many steps of environments or seconds; yields steps, seconds, mean return after updates."""
        updates, begin = round(steps / self.settings.samples), time.perf_counter() - self.seconds
        while self.updates < updates and self.seconds <= seconds:
            for group in self.adam.param_groups:
                group["lr"] = self.settings.rate * (1 - self.updates / updates)
            self.improve(self.collect())
            self.updates += 1
            self.seconds = time.perf_counter() - begin
            mean = float(np.mean(self.returns)) if self.returns else 0.0
            yield self.updates * self.settings.samples, self.seconds, mean
