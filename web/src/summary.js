// SPDX-License-Identifier: Apache-2.0
// The verdict in words, and what else is to be said about it.
import {h, plural, seconds} from './dom.js';
import {placeLink} from './source.js';
import {stuck} from './steps.js';

export function sentence(result) {
  const {verdict, spec, counterexample} = result;
  const isConformance = result.specification?.transitions?.length > 0;
  if (counterexample?.waiting) return ['can get stuck:', spec];
  if (verdict === 'violated') return [isConformance ? 'does not conform to' : 'violates', spec];
  if (verdict === 'holds') return [isConformance ? 'conforms to' : 'satisfies', spec];
  return ['may or may not conform to', spec];
}

export function facts(result) {
  const list = [];
  if (result.decided_by) list.push(`decided by ${result.decided_by}`);
  if (result.iterations) list.push(plural(result.iterations, 'iteration'));
  if (result.predicates) list.push(plural(result.predicates.length, 'predicate'));
  if (result.states) list.push(plural(result.states, 'state'));
  if (result.solver_calls) list.push(plural(result.solver_calls, 'solver call'));
  list.push(seconds(result.time_s));
  return list.join(' · ');
}

function notes(result) {
  const list = [];
  if (result.guard) list.push(`Only calls with ${result.guard} were looked at.`);
  if (result.covers_all_calls === false) list.push('The guards do not cover every call; nothing is said about the others.');
  if (result.never_called) list.push('No call satisfies the guard, so this says nothing.');
  else if (result.vacuous) list.push('Nothing that the specification mentions ever happens.');
  else if (result.never_performed?.length > 0) list.push(`Never happens: ${result.never_performed.join(', ')}.`);
  for (const way of result.never_called ? [] : result.never_reached ?? []) {
    list.push(`The specification never gets to its state after ${way}.`);
  }
  if (result.conditional) list.push('Only if execution gets to the given place.');
  return list;
}

function part(title, ...content) {
  return h('section', {}, h('h3', {}, title), ...content);
}

const codes = (texts) => h('ul', {class: 'terms'}, texts.map((text) => h('li', {}, h('code', {}, text))));

export function summaryPanel(result) {
  const shown = result.counterexample;
  const said = notes(result);
  const parts = [];
  if (said.length > 0) parts.push(part('To be noted', h('ul', {}, said.map((text) => h('li', {}, text)))));
  if (shown?.actions?.length > 0 && shown.actions.length <= 500) {
    parts.push(part('Actions', h('p', {class: 'actions'}, shown.actions.map((action, i) =>
      h('code', {class: i === shown.actions.length - 1 ? 'bad' : ''}, action)))));
  }
  if (shown?.waiting) {
    parts.push(part('Stuck', stuck(shown.waiting)));
  }
  if (shown?.dialogue) parts.push(part('Dialogue', h('pre', {}, shown.dialogue.join('\n'))));
  if (Array.isArray(result.strategy) && result.strategy.length > 0) {
    parts.push(part('Strategy', h('pre', {}, result.strategy.join('\n'))));
  }
  if (shown?.formula) parts.push(part('Formula', h('pre', {}, shown.formula)));
  if (result.predicates?.length > 0) parts.push(part('Predicates', codes(result.predicates)));
  if (result.invariants?.length > 0) parts.push(part('Invariants', codes(result.invariants)));
  if (parts.length === 0) parts.push(h('p', {class: 'note'}, 'There is nothing more to say.'));
  return h('div', {class: 'summary'}, parts);
}

export function assumptions(list, pane) {
  if (list.length === 0) return h('p', {class: 'note assumptions'}, 'Nothing was assumed.');
  return h('details', {class: 'assumptions', open: list.length <= 2},
    h('summary', {}, `Under ${plural(list.length, 'assumption')}`),
    h('ul', {}, list.map(({routine, construct, why, file, line}) => h('li', {},
      h('code', {}, routine ?? construct ?? ''), ` ${why} `, placeLink(pane, file ?? '', line)))));
}
