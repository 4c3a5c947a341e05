// Elements of the page; what they say is text, never markup.

/**
 * Return an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties] of the element; `on`: what listens to its events, `aria`: what aria- says
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, children = []) {
  const out = document.createElement(tag);
  const { on = {}, aria = {}, ...rest } = properties;
  for (const [name, listener] of Object.entries(on)) out.addEventListener(name, listener);
  for (const [name, value] of Object.entries(aria)) out.setAttribute(`aria-${name}`, String(value));
  Object.assign(out, rest);
  out.append(...children);
  return out;
}

/** Keys that fold and unfold parts of panels, with alt, as in MuJoCo's `simulate`. */
const FOLDS = {
  File: "F", Simulation: "S", Physics: "P", View: "O", Shown: "V", Picture: "R", Groups: "G", Plots: "W", Joints: "J",
  Controls: "C", Equalities: "E",
};

/**
 * Return a part of a panel that folds.
 * @param {string} title
 * @param {boolean} open
 * @param {Node[]} children
 */
export function section(title, open, children) {
  const out = element("details", { open }, [element("summary", {}, [title]), ...children]);
  const key = /** @type {Record<string, string>} */ (FOLDS)[title];
  if (key) Object.assign(out.dataset, { fold: key, title });
  return out;
}

/**
 * Return a named choice; `act` is called with the chosen value.
 * @param {string} name
 * @param {[string, string][]} options value and text of each
 * @param {(value: string) => void} act
 */
export function choice(name, options, act) {
  const select = element("select", { on: { change: () => act(select.value) } });
  select.append(...options.map(([value, text]) => element("option", { value }, [text])));
  return { row: element("label", { className: "row" }, [element("span", {}, [name]), select]), select };
}

/**
 * Return a named box to tick; `act` is called with whether it is.
 * @param {string} name
 * @param {string} note behind the name
 * @param {(on: boolean) => void} act
 */
export function tick(name, note, act) {
  const box = element("input", { type: "checkbox", on: { change: () => act(box.checked) } });
  const row = element("label", { className: "tick" }, [box, element("span", {}, [name])]);
  if (note) row.append(element("kbd", {}, [note]));
  return { row, box };
}

/**
 * Return a button.
 * @param {string} text
 * @param {() => void} act
 */
export const button = (text, act) => element("button", { type: "button", on: { click: act } }, [text]);

/**
 * Return a button that folds a panel of the page, and unfolds it.
 * @param {"left" | "right"} side
 * @param {string} text
 */
export function folding(side, text) {
  const out = button(text, () => document.body.classList.toggle(`no-${side}`));
  const show = () => out.setAttribute("aria-pressed", String(!document.body.classList.contains(`no-${side}`)));
  new MutationObserver(show).observe(document.body, { attributeFilter: ["class"] });
  show();
  out.id = `fold-${side}`;
  return out;
}

/**
 * Return a line of a name and a value.
 * @param {string} name
 * @param {Node} value
 */
export const fact = (name, value) => element("div", { className: "row" }, [element("span", {}, [name]), value]);

/**
 * Return options of a choice whose values are their numbers.
 * @param {string[]} names
 * @returns {[string, string][]}
 */
export const numbered = (names) => names.map((name, i) => [String(i), name]);
