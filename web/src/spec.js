// SPDX-License-Identifier: Apache-2.0
// The specification, and the game against it.

export class Specification {
  constructor(graph) {
    this.initial = graph.initial;
    this.count = graph.states;
    this.transitions = graph.transitions;
    this.names = graph.names ?? [];
    this.out = Array.from({length: graph.states}, () => []);
    for (const [from, label, to] of graph.transitions) this.out[from].push([label, to]);
  }

  // What a state is called, alone and in a sentence.
  name(state) {
    return this.names[state] ?? String(state);
  }

  title(state) {
    return this.names[state] ?? `state ${state}`;
  }

  closure(states) {
    const seen = new Set(states);
    const open = [...seen];
    while (open.length > 0) {
      for (const [label, to] of this.out[open.pop()]) {
        if (label === 'tau' && !seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
      }
    }
    return [...seen].sort((a, b) => a - b);
  }

  after(states, action) {
    const found = new Set();
    for (const state of this.closure(states)) {
      for (const [label, to] of this.out[state]) if (label === action) found.add(to);
    }
    return [...found].sort((a, b) => a - b);
  }

  allowed(states) {
    const names = new Set();
    for (const state of this.closure(states)) {
      for (const [label] of this.out[state]) if (label !== 'tau') names.add(label);
    }
    return [...names].sort();
  }
}

export function specificationOf(result) {
  const graph = result.specification;
  return graph && graph.transitions ? new Specification(graph) : null;
}

// A state of a game in a sentence; null if it is not known.
export function titleOf(spec, state) {
  if (state === null || state === undefined) return null;
  return spec && spec.names.length > 0 ? spec.title(state) : `state ${state}`;
}

// The game that the program wins. A position says what it challenges, where the
// specification is, its responses with the positions behind them, what it could
// do where it has none, and how many actions have been performed.
class TreeGame {
  constructor(nodes) {
    this.nodes = nodes;
    this.start = {node: 0, actions: 0};
  }

  at({node, actions}) {
    const {challenge, specification, responses, allowed} = this.nodes[node];
    const behind = actions + (challenge === 'tau' ? 0 : 1);
    return {
      challenge,
      state: specification,
      responses: responses.map((next) => ({
        state: this.nodes[next].specification,
        position: {node: next, actions: behind},
      })),
      allowed,
      actions,
    };
  }
}

class TraceGame {
  constructor(actions, spec) {
    this.actions = actions;
    this.spec = spec;
    this.start = {state: spec.initial, actions: 0};
  }

  at({state, actions}) {
    const challenge = this.actions[actions];
    const responses = this.spec.after([state], challenge).map((next) => ({
      state: String(next),
      position: {state: next, actions: actions + 1},
    }));
    const allowed = responses.length > 0 ? [] : this.spec.allowed([state]);
    return {challenge, state: String(state), responses, allowed, actions};
  }
}

class LinearGame {
  constructor(actions, allowed) {
    this.actions = actions;
    this.allowed = allowed;
    this.start = {actions: 0};
  }

  at({actions}) {
    const isLast = actions + 1 === this.actions.length;
    return {
      challenge: this.actions[actions],
      state: null,
      responses: isLast ? [] : [{state: null, position: {actions: actions + 1}}],
      allowed: isLast ? this.allowed : [],
      actions,
    };
  }
}

export function gameOf(result) {
  const shown = result.counterexample;
  if (!shown || shown.waiting) return null;
  if (shown.tree && shown.tree.nodes.length > 0) return new TreeGame(shown.tree.nodes);
  if (!shown.actions || shown.actions.length === 0) return null;
  const spec = specificationOf(result);
  if (spec && lost(spec, shown.actions)) return new TraceGame(shown.actions, spec);
  return shown.allowed ? new LinearGame(shown.actions, shown.allowed) : null;
}

// Whether the actions really lead out of the specification.
function lost(spec, actions) {
  let states = [spec.initial];
  for (const action of actions) states = spec.after(states, action);
  return states.length === 0;
}
