// SPDX-License-Identifier: Apache-2.0
// The source on the left: lines, the path through them, the present line.
import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import {base, h, visible} from './dom.js';
import {VirtualList} from './virtual.js';

hljs.registerLanguage('c', c);

const lineHeight = 20;
const mostColoured = 400000;  // Characters; more takes too long.
const longest = 2000;         // A line is cut there, and has no colours.

// Coloured markup of a text as one piece per line, each complete in itself.
function colouredLines(text) {
  const lines = [];
  let open = [];
  let line = '';
  const markup = hljs.highlight(text, {language: 'c', ignoreIllegals: true}).value;
  for (const part of markup.split(/(<span class="[^"]*">|<\/span>|\n)/)) {
    if (part === '\n') {
      lines.push(line + '</span>'.repeat(open.length));
      line = open.join('');
    } else {
      line += part;
      if (part.startsWith('<span')) open.push(part);
      else if (part === '</span>') open.pop();
    }
  }
  lines.push(line);
  return lines;
}

function isCode(name) {
  return /\.([chi]|agon|lts|ia)$/i.test(name);
}

class SourceFile {
  constructor({name, text, cut}) {
    this.name = name;
    const shown = visible(text.replace(/\r\n?/g, '\n')).replace(/\t/g, '        ');
    this.lines = shown.split('\n');
    if (cut) this.lines.push('… the rest of this file is not shown');
    this.width = Math.min(longest, Math.max(...this.lines.map((line) => line.length)));
    this.isColoured = isCode(name) && shown.length < mostColoured;
  }

  line(i) {
    const text = this.lines[i];
    if (text.length > longest) return h('code', {}, `${text.slice(0, longest)}…`);
    if (!this.isColoured) return h('code', {}, text);
    this.coloured ??= colouredLines(this.lines.join('\n'));
    const code = h('code');
    code.innerHTML = this.coloured[i];  // From highlight.js, which escapes text.
    return code;
  }
}

export class SourcePane {
  constructor(sources) {
    this.files = new Map(sources.map((source) => [source.name, new SourceFile(source)]));
    this.visits = new Map();  // By file: how often the path visits a line.
    this.current = null;
    this.list = new VirtualList({
      height: lineHeight,
      render: (i) => this.row(i),
      attributes: {class: 'code', tabindex: '0', role: 'region', 'aria-label': 'Source text'},
    });
    this.choice = h('select', {'aria-label': 'File', onchange: () => this.open(this.choice.value)},
      [...this.files.keys()].map((name) => h('option', {value: name}, name)));
    this.title = h('div', {class: 'panetitle'}, this.files.size > 1 ? this.choice : [...this.files.keys()][0] ?? 'No source');
    this.element = h('section', {class: 'source', 'aria-label': 'Source'}, this.title, this.list.element);
    if (this.files.size > 0) this.open(this.files.keys().next().value);
  }

  open(name) {
    if (this.file?.name === name) return;
    this.file = this.files.get(name);
    this.choice.value = name;
    this.list.inner.style.minWidth = `calc(${this.file.width}ch + 12em)`;
    this.list.element.scrollTop = 0;
    this.list.setCount(this.file.lines.length);
  }

  // Places of steps, in order.
  setPath(steps) {
    this.visits.clear();
    const places = steps.map((step) => step.call ?? step);
    for (const {file, line} of places) {
      if (!file || !line) continue;
      if (!this.visits.has(file)) this.visits.set(file, new Map());
      const lines = this.visits.get(file);
      lines.set(line, (lines.get(line) ?? 0) + 1);
    }
    this.current = null;
    const first = places.find(({file, line}) => line && this.files.has(file) && !file.endsWith('.agon'));
    if (first) this.open(first.file);
    this.list.refresh();
  }

  // Goes to a line, with a remark behind it.
  show(file, line, remark = '', kind = '') {
    if (!line || !this.files.has(file)) {
      this.current = null;
      this.list.refresh();
      return;
    }
    this.current = {file, line, remark, kind};
    this.open(file);
    this.list.reveal(line - 1);
    this.list.refresh();
  }

  row(i) {
    const number = i + 1;
    const count = this.visits.get(this.file.name)?.get(number) ?? 0;
    const isCurrent = this.current?.file === this.file.name && this.current.line === number;
    const classes = ['line', count > 0 ? 'visited' : '', isCurrent ? `current ${this.current.kind}` : ''];
    return h('div', {class: classes.join(' '), 'aria-current': isCurrent ? 'step' : null,
      'data-line': number, title: count > 1 ? `visited ${count} times` : null},
      h('span', {class: 'number'}, String(number)), this.file.line(i),
      isCurrent && this.current.remark ? h('span', {class: 'remark'}, this.current.remark) : null);
  }
}

// A place that leads to the source.
export function placeLink(pane, file, line) {
  if (!line) return null;
  const text = `${base(file)}:${line}`;
  if (!pane.files.has(file)) return h('span', {class: 'place', title: file}, text);
  return h('button', {type: 'button', class: 'place link', title: file, onclick: () => pane.show(file, line)}, text);
}
