// What is watched: names that are found, signals and their labels, samples, numbers at axes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { niceRange, niceStep, tickText } from "../src/watch/axis.js";
import { Objects } from "../src/watch/objects.js";
import { Samples } from "../src/watch/samples.js";
import { Signals } from "../src/watch/signals.js";
import { Watching } from "../src/watch/watching.js";

/** @param {string[]} names @param {number[]} bodies @param {string} kind */
const packed = (kind, names, bodies) => ({
  [`${kind}_names`]: new TextEncoder().encode(names.join("\0")),
  [`${kind}_body`]: Int32Array.from(bodies),
});
const ARRAYS = {
  ...packed("body", ["world", "<b>Arm</b>", "", "forearm"], [0, 1, 2, 3]),
  ...packed("joint", ["root", "ball", "arm joint"], [1, 2, 3]),
  ...packed("actuator", ["arm motor", ""], [3, -1]),
  ...packed("sensor", ["rate", "turn", "load", "own"], [1, 1, 3, -1]),
  body_parent: Int32Array.from([0, 0, 1, 1]),
  joint_type: Int32Array.from([0, 1, 3]),
  actuator_ctrlnum: Int32Array.from([1, 1]),
  actuator_outnum: Int32Array.from([1, 1]),
  sensor_type: Int32Array.from([3, 5, 0, 9]),
  sensor_dim: Int32Array.from([3, 4, 1, 2]),
};
const MODEL = {
  signals: [
    ["energy", "energy", "J", 3, ["potential", "kinetic", "sum"]], ["ncon", "contacts", "", 1, []],
    ["sensordata", "sensors", "", 10, []], ["qpos", "positions", "", 12, []], ["qvel", "velocities", "", 10, []],
    ["ctrl", "controls", "", 2, []],
  ],
  sensor_types: { 3: "gyro", 5: "framequat", 0: "touch", 9: "user" },
};

test("names are unpacked, and found", () => {
  const objects = new Objects(ARRAYS);
  assert.equal(objects.name("body", 1), "<b>Arm</b>");
  assert.equal(objects.name("body", 2), "body 2");
  assert.equal(objects.name("geom", 7), "geom 7");
  assert.deepEqual([...objects.counts("joint")], [0, 1, 1, 1]);
  const found = objects.find(" ARM").map(({ kind, index }) => `${kind} ${index}`);
  assert.deepEqual(found, ["joint 2", "actuator 0", "body 1", "body 3"]);
  assert.deepEqual(objects.find("  "), []);
  assert.deepEqual(objects.find("nothing"), []);
  const many = new Objects(packed("body", Array.from({ length: 5000 }, (_, i) => `link ${i}`), [...Array(5000).keys()]));
  assert.equal(many.find("link").length, 100);
  assert.deepEqual(many.find("link 4999"), [{ kind: "body", index: 4999 }]);
  assert.deepEqual(new Objects({}).find("a"), []);
});

test("signals have the names of their objects", () => {
  const signals = new Signals(MODEL, new Objects(ARRAYS));
  const labels = (/** @type {string} */ kind) => signals.all().filter((one) => one.kind === kind).map(({ label }) => label);
  assert.equal(signals.all().length, 38);
  assert.deepEqual(labels("energy"), ["potential", "kinetic", "sum"]);
  assert.deepEqual(labels("ncon"), ["contacts"]);
  assert.deepEqual(labels("sensordata"), [
    "rate x", "rate y", "rate z", "turn w", "turn x", "turn y", "turn z", "load", "own 0", "own 1",
  ]);
  assert.deepEqual(labels("qpos").slice(5), ["root qy", "root qz", "ball qw", "ball qx", "ball qy", "ball qz", "arm joint"]);
  assert.deepEqual(labels("qvel"), ["root vx", "root vy", "root vz", "root wx", "root wy", "root wz", "ball wx", "ball wy", "ball wz", "arm joint"]);
  assert.deepEqual(labels("ctrl"), ["arm motor", "actuator 1"]);
  assert.deepEqual(signals.find("GYRO").map(({ kind, index, group }) => [kind, index, group]), [
    ["sensordata", 0, "gyro"], ["sensordata", 1, "gyro"], ["sensordata", 2, "gyro"],
  ]);
});

test("samples keep the last seconds, and forget when time goes back", () => {
  const samples = new Samples(2, 1);
  for (let i = 0; i <= 300; i++) samples.add(i / 100, [i, -i]);
  assert.equal(samples.time(samples.written - 1), 3);
  assert.equal(samples.time(samples.first), 2);
  assert.deepEqual([samples.value(samples.first, 0), samples.value(samples.written - 1, 1)], [200, -300]);
  samples.add(3, [7, 7]); // it stands still
  assert.deepEqual([samples.length, samples.value(samples.written - 1, 0)], [101, 7]);
  samples.add(NaN, [0, 0]);
  samples.add(4, [0]);
  assert.equal(samples.length, 101);
  samples.add(0, [1, 2]);
  assert.deepEqual([samples.length, samples.emptied, samples.value(samples.first, 1)], [1, 1, 2]);
  samples.add(100, [3, 4]); // one before the span stays
  assert.equal(samples.length, 2);
});

test("samples that come close take no more room, and reach as far back as any", () => {
  const samples = new Samples(1, 10);
  for (let i = 0; i < 100_000; i++) samples.add(i / 5000, [i]);
  assert.ok(samples.length <= 4096 && samples.length > 1000, `${samples.length}`);
  assert.ok(samples.time(samples.first) <= samples.time(samples.written - 1) - 9.99);
  assert.equal(samples.value(samples.written - 1, 0), 99_999);
  for (let i = samples.first + 1; i < samples.written; i++) assert.ok(samples.time(i) > samples.time(i - 1));
});

test("samples as CSV", () => {
  const samples = new Samples(2, 10);
  samples.add(0.5, [1, NaN]);
  samples.add(0.75, [1e-20, Infinity]);
  const signal = { kind: "qpos", index: 0, unit: "", group: "positions" };
  const text = samples.csv([{ ...signal, label: 'a "b", c' }, { ...signal, label: "d\ne" }]);
  assert.equal(text, '"time","positions: a ""b"", c","positions: d\ne"\r\n0.5,1,NaN\r\n0.75,1e-20,Infinity\r\n');
});

test("axes have round numbers", () => {
  assert.deepEqual([0.3, 1, 1.2, 4, 6, 1e-8].map(niceStep), [0.5, 1, 2, 5, 10, 1e-8]);
  assert.deepEqual(niceRange(0.1, 5.8, 3), { low: 0, high: 6, step: 2 });
  assert.deepEqual(niceRange(-1, 1, 3), { low: -1, high: 1, step: 1 });
  for (const [low, high] of [[0, 0], [5, 5], [1e-300, 1e-300], [-1e308, 1e308], [1e6, 1e6 + 1e-9], [-3, 1e5]]) {
    const range = niceRange(low, high, 3);
    assert.ok(range.low < range.high && range.step > 0 && Number.isFinite(range.high - range.low), `${low}, ${high}`);
    assert.ok((range.high - range.low) / range.step < 7, `${low}, ${high}: ${JSON.stringify(range)}`);
    assert.ok(Math.abs(high) > 1e150 || (range.low <= low && high <= range.high), `${low}, ${high}`);
  }
  assert.deepEqual([[0.5, 0.5], [2, 1], [1e-17, 0.1], [-0.25, 0.05], [2e-6, 1e-6], [150000, 50000], [0.0005, 0.0005]].map(([v, s]) => tickText(v, s)),
    ["0.5", "2", "0", "-0.25", "2e-6", "1.5e5", "5e-4"]);
});

/** @param {number} plot @param {number} time @param {number[]} values */
const frame = (plot, time, values) => ({ words: { plot, time }, arrays: { plot: Float64Array.from(values) }, shapes: {} });

test("what is watched is asked for, and what was asked for before is not taken", () => {
  /** @type {any[]} */
  const said = [];
  const watching = new Watching((words) => said.push(words));
  watching.begin(MODEL, ARRAYS);
  said.length = 0;
  const [potential, kinetic] = watching.signals.all();
  watching.choose([potential]);
  const first = said.at(-1);
  assert.deepEqual([first.do, first.of, first.signals], ["watch", "plot", [["energy", 0]]]);
  watching.take(frame(first.serial, 1, [5]));
  assert.equal(watching.samples.length, 1);
  assert.equal(watching.tick(kinetic, true), true);
  watching.take(frame(first.serial, 2, [5])); // it was on its way
  assert.equal(watching.samples.length, 0);
  watching.take(frame(said.at(-1).serial, 2, [5, 6]));
  assert.equal(watching.samples.value(0, 1), 6);
  assert.equal(watching.tick(potential, false), false);
  assert.deepEqual(said.at(-1).signals, [["energy", 1]]);
  watching.begin(MODEL, ARRAYS); // loaded again: it goes on
  assert.deepEqual(watching.chosen.map(({ kind, index }) => [kind, index]), [["energy", 1]]);
  watching.begin({ signals: [["ncon", "contacts", "", 1, []]] }, {});
  assert.deepEqual(watching.chosen, []);
});

test("presets are plotted and taken away", () => {
  const watching = new Watching(() => {});
  watching.begin(MODEL, ARRAYS);
  watching.togglePreset("sensors");
  assert.equal(watching.chosen.length, 10);
  watching.togglePreset("profiler");
  assert.deepEqual(watching.chosen.map(({ kind }) => kind), ["ncon"]);
  watching.togglePreset("profiler");
  assert.equal(watching.chosen.length, 0);
  const many = { ...MODEL, signals: [["other", "other", "", 1_000_000, []]] };
  watching.begin(many, ARRAYS);
  watching.choose(watching.signals.all());
  assert.equal(watching.chosen.length, 200);
});

test("the state and its details are for who wants them", () => {
  /** @type {any[]} */
  const said = [];
  const watching = new Watching((words) => said.push(words));
  watching.setState("part", true);
  watching.setState("info", true);
  assert.equal(said.length, 1);
  watching.setState("part", false);
  assert.equal(said.length, 1);
  watching.setState("info", false);
  assert.deepEqual(said[1].signals, []);
  watching.setDetails(true);
  watching.setDetails(true);
  assert.deepEqual(said.slice(2), [{ do: "details", on: true }]);
});
