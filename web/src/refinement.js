// SPDX-License-Identifier: Apache-2.0
// How the abstraction was refined: a plot and a table.
import {h, plural, seconds, svg} from './dom.js';
import {placeLink} from './source.js';

function because(play, pane) {
  const parts = [];
  const who = play.component ? `${play.component}: ` : '';
  parts.push(h('p', {}, who, 'The abstraction allowed ',
    play.actions.length > 0 ? h('code', {}, play.actions.join(', ')) : 'a path without actions',
    ', but no execution does this.'));
  if (play.conflict.length > 0) {
    parts.push(h('p', {}, play.conflict.length === 1 ? 'This cannot hold' : 'These cannot all hold',
      play.line ? [' at ', placeLink(pane, play.file, play.line)] : '',
      play.conflict.some((text) => /\binput\d/.test(text)) ? ', whatever is chosen on the way: ' : ': '),
      h('ul', {class: 'terms'}, play.conflict.map((text) => h('li', {}, h('code', {}, text)))));
  }
  if (play.tests.length > 0) {
    parts.push(h('details', {}, h('summary', {}, `${plural(play.tests.length, 'test')} on that path`),
      h('ul', {class: 'terms'}, play.tests.map(({text, file, line}) =>
        h('li', {}, placeLink(pane, file, line), ' ', h('code', {}, text))))));
  }
  return parts;
}

function row(iteration, i, pane) {
  const {found, spurious} = iteration;
  const fill = () => {
    if (details.childElementCount > 1) return;
    details.append(h('ul', {class: 'terms'}, found.map(({predicate, file, line, component}) =>
      h('li', {}, h('code', {}, predicate), ' ', placeLink(pane, file, line),
        component ? h('span', {class: 'place'}, ` ${component}`) : null))), ...spurious.flatMap((play) => because(play, pane)));
  };
  const details = found.length + spurious.length === 0 ? h('span', {}, '–')
    : h('details', {ontoggle: fill}, h('summary', {}, found.length > 0 ? plural(found.length, 'new predicate') : 'why'));
  details.fill = fill;  // For those who cannot wait for the event.
  return h('tr', {}, h('th', {scope: 'row'}, String(i + 1)), h('td', {}, iteration.predicates.toLocaleString('en')),
    h('td', {}, iteration.states.toLocaleString('en')), h('td', {}, iteration.solver_calls.toLocaleString('en')),
    h('td', {}, seconds(iteration.time_s)), h('td', {class: 'wide'}, details));
}

// Round numbers from 0 to at least `most`, a few of them.
function ticks(most) {
  const rough = most / 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  return [0, step, 2 * step];
}

// Some of the iterations, the first and the last among them.
function marked(count) {
  const step = Math.max(1, Math.ceil(count / 10));
  const last = count - 1;
  const shown = Array.from({length: Math.ceil(count / step)}, (_, k) => k * step).filter((i) => last - i >= step / 2);
  return [...shown, last];
}

// Three small plots above each other with one axis for iterations.
function plot(history) {
  const [width, left, right, band, gap] = [640, 60, 570, 62, 30];
  const whole = (value) => value.toLocaleString('en');
  const series = [
    {name: 'Predicates', of: (each) => each.predicates, text: whole, least: 2},
    {name: 'States', of: (each) => each.states, text: whole, least: 2},
    {name: 'Time of the iteration', of: (each) => each.time_s, text: seconds, least: 1e-6},
  ];
  const foot = series.length * (band + gap);
  const x = (i) => (history.length === 1 ? (left + right) / 2 : left + 8 + (i / (history.length - 1)) * (right - left - 16));
  const picture = svg('svg', {class: 'plot', viewBox: `0 0 ${width} ${foot + 36}`, role: 'img',
    'aria-label': `Predicates, states and time of ${plural(history.length, 'iteration')}`});
  series.forEach(({name, of, text, least}, k) => {
    const top = k * (band + gap) + gap - 6;
    const scale = ticks(Math.max(least, ...history.map(of)));
    const y = (value) => top + band * (1 - value / scale[2]);
    picture.append(svg('text', {x: left, y: top - 9, class: 'name'}, name));
    for (const value of scale) {
      picture.append(svg('line', {x1: left, x2: right, y1: y(value), y2: y(value), class: value === 0 ? 'axis' : 'light'}),
        svg('text', {x: left - 6, y: y(value) + 4, class: 'tick', 'text-anchor': 'end'}, value === 0 ? '0' : text(value)));
    }
    picture.append(svg('line', {x1: left, x2: left, y1: top, y2: top + band, class: 'axis'}),
      svg('polyline', {points: history.map((each, i) => `${x(i)},${y(of(each))}`).join(' '), class: `series s${k}`}));
    if (history.length <= 60) {
      history.forEach((each, i) => picture.append(svg('circle', {cx: x(i), cy: y(of(each)), r: 2.8, class: `series s${k}`},
        svg('title', {}, `iteration ${i + 1}: ${text(of(each))} ${name === 'Predicates' || name === 'States' ? name.toLowerCase() : ''}`))));
    }
    const last = of(history[history.length - 1]);
    picture.append(svg('text', {x: x(history.length - 1) + 9, y: y(last) + 4, class: 'value'}, text(last)));
  });
  for (const i of marked(history.length)) {
    picture.append(svg('text', {x: x(i), y: foot + 10, class: 'tick', 'text-anchor': 'middle'}, String(i + 1)));
  }
  picture.append(svg('text', {x: (left + right) / 2, y: foot + 27, class: 'tick', 'text-anchor': 'middle'}, 'Iteration'));
  return picture;
}

export function refinementPanel(history, pane) {
  return h('div', {class: 'refinement'},
    history.length > 1 ? plot(history) : h('p', {class: 'note'}, 'The first abstraction was enough.'),
    h('table', {class: 'grid'}, h('thead', {}, h('tr', {}, ['iteration', 'predicates', 'states', 'solver calls', 'time', 'found'].map(
      (text) => h('th', {scope: 'col'}, text)))),
    h('tbody', {}, history.map((iteration, i) => row(iteration, i, pane)))));
}
