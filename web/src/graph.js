// SPDX-License-Identifier: Apache-2.0
// Layered drawings of small graphs, to be moved and magnified.
import {Graph, layout} from '@dagrejs/dagre';
import {h, shortened, svg} from './dom.js';

const letter = 7.3;     // The width of one at 12 px.
const legible = 0.7;    // Smaller text is no text.
const mostTried = 120;  // Nodes that are laid out twice.
const all = new Set();
let isPrinting = false;

function labelLines(labels) {
  const lines = labels.slice(0, 4).map((label) => shortened(label, 30));
  if (labels.length > 4) lines.push(`+ ${labels.length - 4} more`);
  return lines;
}

// Edges between the same nodes are one, with all labels.
function merged(edges) {
  const found = new Map();
  for (const {from, to, label} of edges) {
    const key = `${from} ${to}`;
    if (!found.has(key)) found.set(key, {from, to, labels: []});
    const {labels} = found.get(key);
    if (!labels.includes(label)) labels.push(label);
  }
  return [...found.values()];
}

function place(nodes, edges, direction) {
  const graph = new Graph({multigraph: false});
  graph.setGraph({rankdir: direction, nodesep: 22, ranksep: 36, edgesep: 14, marginx: 26, marginy: 16});
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    graph.setNode(node.id, {
      width: Math.max(28, ...node.lines.map((line) => line.length * letter + 18)),
      height: Math.max(28, 12 + 16 * node.lines.length),
    });
  }
  for (const edge of edges) {
    const lines = labelLines(edge.labels);
    graph.setEdge(edge.from, edge.to, {
      width: Math.max(0, ...lines.map((line) => line.length * letter)) + 8,
      height: 15 * lines.length,
      labelpos: 'c',
      lines,
    });
  }
  layout(graph);
  return graph;
}

// Edges end at nodes, with a head of their own, which can be lit.
function head(points) {
  const end = points[points.length - 1];
  const before = points[points.length - 2];
  const angle = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  return svg('path', {class: 'head', d: 'M0,0L-9,-4L-9,4z', transform: `translate(${end.x},${end.y}) rotate(${angle})`});
}

function curve(points) {
  const [first, ...rest] = points;
  let path = `M${first.x},${first.y}`;
  for (let i = 0; i < rest.length - 1; ++i) {
    const {x, y} = rest[i];
    path += `Q${x},${y} ${(x + rest[i + 1].x) / 2},${(y + rest[i + 1].y) / 2}`;
  }
  const end = rest[rest.length - 1];
  return `${path}L${end.x},${end.y}`;
}

// From a node to itself, around its label.
function loop(node, {x, y}) {
  if (Math.abs(y - node.y) > Math.abs(x - node.x)) {
    const edge = node.y + (Math.sign(y - node.y) * node.height) / 2;
    const far = edge + 0.8 * (y - edge);
    const end = {x: node.x + 7, y: edge};
    return {path: `M${node.x - 7},${edge}C${node.x - 26},${far} ${node.x + 26},${far} ${end.x},${end.y}`,
      points: [{x: node.x + 16, y: far}, end]};
  }
  const edge = node.x + (Math.sign(x - node.x) * node.width) / 2;
  const far = edge + Math.sign(x - node.x) * 26;
  const end = {x: edge, y: node.y + 7};
  return {path: `M${edge},${node.y - 7}C${far},${node.y - 24} ${far},${node.y + 24} ${end.x},${end.y}`,
    points: [{x: far, y: node.y + 18}, end]};
}

export class GraphView {
  // Nodes have an id, lines of text, a title and perhaps a class; edges have
  // from, to and label. `onSelect` is told the id of a node that is chosen.
  constructor({label, onSelect = null}) {
    this.onSelect = onSelect;
    this.canvas = h('div', {class: 'canvas'});
    const tool = (text, name, act) =>
      h('button', {type: 'button', class: 'small', 'aria-label': name, title: name, onclick: act}, text);
    this.element = h('figure', {class: 'graph', 'aria-label': label},
      h('div', {class: 'graphtools'},
        tool('−', 'Smaller', () => this.zoom(1 / 1.25)),
        tool('+', 'Larger', () => this.zoom(1.25)),
        tool('Fit', 'Fit into the view', () => this.fit())),
      this.canvas);
    this.label = label;
    new ResizeObserver(() => {
      if (!this.isMoved) this.settle();
    }).observe(this.canvas);
    this.canvas.addEventListener('wheel', (event) => this.onWheel(event), {passive: false});
    this.canvas.addEventListener('pointerdown', (event) => this.onDrag(event));
    all.add(this);
  }

  // From left to right or from top to bottom, whichever can be drawn larger.
  arrange(nodes, edges) {
    const across = place(nodes, edges, 'LR');
    if (nodes.length > mostTried) return across;
    const down = place(nodes, edges, 'TB');
    return this.scaleOf(down.graph()) > 1.2 * this.scaleOf(across.graph()) ? down : across;
  }

  // At which all of it can be seen.
  scaleOf({width = 10, height = 10}) {
    return Math.min(1.25, (this.canvas.clientWidth || width) / width, (this.canvas.clientHeight || height) / height);
  }

  show({nodes, edges, initial}) {
    const joined = merged(edges);
    const graph = this.arrange(nodes, joined);
    const names = new Map(nodes.map((node) => [node.id, node.lines[0]]));
    this.nodes = new Map();
    this.edges = new Map();
    const {width = 10, height = 10} = graph.graph();
    this.size = {width, height};
    this.start = initial && graph.node(initial);
    this.picture = svg('svg', {role: this.onSelect ? 'group' : 'img', 'aria-label': `${this.label}: ${nodes.length} nodes`});
    for (const edge of joined) this.picture.append(this.drawEdge(edge, graph, names));
    for (const node of nodes) this.picture.append(this.drawNode(node, graph.node(node.id), node.id === initial));
    this.canvas.replaceChildren(this.picture);
    this.isMoved = false;
    this.settle();
  }

  drawEdge(edge, graph, names) {
    const {points, x, y, lines, height} = graph.edge(edge.from, edge.to);
    const drawn = edge.from === edge.to ? loop(graph.node(edge.from), {x, y}) : {path: curve(points), points};
    const group = svg('g', {class: edge.labels.every((l) => l === 'tau') ? 'edge silent' : 'edge'},
      svg('title', {}, `${names.get(edge.from)} → ${names.get(edge.to)}: ${edge.labels.join(', ')}`),
      svg('path', {d: drawn.path}), head(drawn.points));
    const width = Math.max(0, ...lines.map((line) => line.length * letter));
    group.append(svg('rect', {class: 'label', x: x - width / 2, y: y - height / 2, width, height}));
    lines.forEach((line, i) => group.append(
      svg('text', {x, y: y - height / 2 + 12 + 15 * i, 'text-anchor': 'middle'}, line)));
    this.edges.set(`${edge.from} ${edge.to}`, {group, labels: edge.labels});
    return group;
  }

  drawNode(node, {x, y, width, height}, isInitial) {
    const left = x - width / 2;
    const group = svg('g', {class: `node ${node.class ?? ''}`, 'data-id': node.id},
      svg('title', {}, node.title ?? node.lines.join('\n')),
      isInitial ? svg('g', {class: 'entry'}, svg('path', {d: `M${left - 20},${y}H${left}`}),
        head([{x: left - 20, y}, {x: left, y}])) : null,
      svg('rect', {x: left, y: y - height / 2, width, height, rx: Math.min(14, height / 2)}));
    node.lines.forEach((line, i) => group.append(
      svg('text', {x, y: y - (node.lines.length - 1) * 8 + 16 * i + 4, 'text-anchor': 'middle'}, line)));
    if (this.onSelect) {
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', node.title ?? node.lines.join(' '));
      group.addEventListener('click', () => this.onSelect(node.id));
      group.addEventListener('focus', () => this.reveal({x, y, width, height}));
      group.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          this.onSelect(node.id);
        }
      });
    }
    this.nodes.set(node.id, group);
    return group;
  }

  // Lights nodes, and edges with one of the labels from these to those.
  light(ids, {label = null, targets = []} = {}) {
    if (!this.nodes) return;
    const lit = new Set(ids.map(String));
    const next = new Set(targets.map(String));
    for (const [id, group] of this.nodes) {
      group.classList.toggle('lit', lit.has(id));
      group.classList.toggle('next', next.has(id));
    }
    for (const [key, {group, labels}] of this.edges) {
      const [from, to] = key.split(' ');
      group.classList.toggle('lit', label !== null && labels.includes(label) && lit.has(from) && next.has(to));
    }
  }

  // All of it, however small.
  fit() {
    if (!this.picture) return;
    this.showAt(this.scaleOf(this.size));
  }

  // All of it if that can be read, otherwise where it starts.
  settle() {
    if (!this.picture) return;
    this.showAt(Math.max(isPrinting ? 0 : legible, this.scaleOf(this.size)));
  }

  // What does not fit is cut off far from the start.
  showAt(scale) {
    const place = (whole, shown, start) => {
      if (whole * scale <= shown) return (whole - shown / scale) / 2;
      return Math.min(Math.max(0, start - shown / scale / 2), whole - shown / scale);
    };
    const {width, height} = this.size;
    this.view = {scale, x: place(width, this.canvas.clientWidth || width, this.start?.x ?? width / 2),
      y: place(height, this.canvas.clientHeight || height, this.start?.y ?? height / 2)};
    this.apply();
  }

  // Moves the picture if a node is not in sight.
  reveal({x, y, width, height}) {
    const [w, tall] = [this.canvas.clientWidth / this.view.scale, this.canvas.clientHeight / this.view.scale];
    const isSeen = (at, size, from, whole) => at - size / 2 >= from && at + size / 2 <= from + whole;
    if (isSeen(x, width, this.view.x, w) && isSeen(y, height, this.view.y, tall)) return;
    this.view = {...this.view, x: x - w / 2, y: y - tall / 2};
    this.isMoved = true;
    this.apply();
  }

  apply() {
    const {x, y, scale} = this.view;
    const width = (this.canvas.clientWidth || this.size.width) / scale;
    const height = (this.canvas.clientHeight || this.size.height) / scale;
    this.picture.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }

  zoom(factor, at = null) {
    if (!this.picture) return;
    const box = this.canvas.getBoundingClientRect();
    const px = at ? at.x - box.left : box.width / 2;
    const py = at ? at.y - box.top : box.height / 2;
    const {x, y, scale} = this.view;
    const next = Math.min(4, Math.max(0.05, scale * factor));
    this.view = {x: x + px / scale - px / next, y: y + py / scale - py / next, scale: next};
    this.isMoved = true;
    this.apply();
  }

  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, {x: event.clientX, y: event.clientY});
  }

  onDrag(event) {
    if (!this.picture || event.button !== 0) return;
    const start = {x: event.clientX, y: event.clientY, view: {...this.view}};
    const move = (e) => {
      const dx = e.clientX - start.x;
      const dy = e.clientY - start.y;
      if (!this.isDragging && Math.hypot(dx, dy) < 4) return;
      this.isDragging = true;
      this.isMoved = true;
      this.view = {...start.view, x: start.view.x - dx / start.view.scale, y: start.view.y - dy / start.view.scale};
      this.apply();
    };
    const stop = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', stop);
      this.isDragging = false;
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', stop);
  }
}

// Nobody can move what is on paper.
function settleAll(printing) {
  isPrinting = printing;
  for (const graph of all) if (graph.element.isConnected) graph.settle();
}
export const printGraphs = () => settleAll(true);
export const screenGraphs = () => settleAll(false);

// A specification for `show`.
export function specificationPicture(spec) {
  const nodes = Array.from({length: spec.count}, (_, i) => ({
    id: String(i), lines: [shortened(spec.name(i), 24)], title: `${spec.title(i)}${i === spec.initial ? ', initial' : ''}`}));
  const edges = spec.transitions.map(([from, label, to]) => ({from: String(from), label, to: String(to)}));
  return {nodes, edges, initial: String(spec.initial)};
}
