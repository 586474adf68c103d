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

// Three small plots above each other with one axis.
function plot(history) {
  const width = 640;
  const left = 92;
  const band = 64;
  const series = [
    {name: 'predicates', of: (each) => each.predicates, text: (v) => v.toLocaleString('en')},
    {name: 'states', of: (each) => each.states, text: (v) => v.toLocaleString('en')},
    {name: 'time', of: (each) => each.time_s, text: seconds},
  ];
  const x = (i) => left + (history.length === 1 ? 0.5 : i / (history.length - 1)) * (width - left - 60);
  const picture = svg('svg', {class: 'plot', viewBox: `0 0 ${width} ${series.length * (band + 14) + 24}`, role: 'img',
    'aria-label': `Predicates, states and time of ${plural(history.length, 'iteration')}`});
  series.forEach(({name, of, text}, k) => {
    const top = k * (band + 14) + 8;
    const most = Math.max(...history.map(of)) || 1;
    const y = (each) => top + band - (of(each) / most) * (band - 12);
    const last = history[history.length - 1];
    picture.append(
      svg('text', {x: 4, y: top + band - 2, class: 'axis'}, name),
      svg('line', {x1: left, x2: width - 60, y1: top + band, y2: top + band, class: 'axis'}),
      svg('polyline', {points: history.map((each, i) => `${x(i)},${y(each)}`).join(' '), class: `series s${k}`}));
    if (history.length <= 60) {
      history.forEach((each, i) => picture.append(svg('circle', {cx: x(i), cy: y(each), r: 2.5, class: `series s${k}`},
        svg('title', {}, `iteration ${i + 1}: ${text(of(each))} ${name === 'time' ? '' : name}`))));
    }
    picture.append(svg('text', {x: x(history.length - 1) + 8, y: y(last) + 4, class: 'value'}, text(of(last))));
  });
  picture.append(svg('text', {x: left, y: series.length * (band + 14) + 18, class: 'axis'}, '1'),
    svg('text', {x: width - 60, y: series.length * (band + 14) + 18, class: 'axis', 'text-anchor': 'end'},
      `iteration ${history.length}`));
  return picture;
}

export function refinementPanel(history, pane) {
  return h('div', {class: 'refinement'}, plot(history),
    h('table', {class: 'grid'}, h('thead', {}, h('tr', {}, ['', 'predicates', 'states', 'solver calls', 'time', 'found'].map(
      (text) => h('th', {scope: 'col'}, text)))),
    h('tbody', {}, history.map((iteration, i) => row(iteration, i, pane)))));
}
