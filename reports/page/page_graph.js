/* The graph of a network: boxes that open, colours, search, and the way to the table and back. Behind page_charts.js in the same
 * script. Places were computed when the page was made; opening a box moves what is below and beside it, and no edge is laid anew.
 * Without script, and until a reader comes near, the first level is a picture. */

const BOX = {width: 176, height: 44, head: 30, pad: 10};
const MARGIN = 10, BETWEEN = 40, HEADING = 26, MOST_LABELS = 60, MOST_OPEN = 1500, OUTSIDE = -1;
const COLUMNS = ['name', 'type', 'shape', 'device', 'executor', 'boundClass', 'bound', 'ideal', 'expected', 'measured', 'gap',
  'timeShare', 'gapShare', 'aliveShare', 'alive', 'table', 'layer', 'withOthers', 'firstOp', 'ops', 'before', 'change', 'level',
  'isThere', 'why']; /* the last two of two networks alone */

/* A row by the names of its columns; no object of 25 members is made of each of ten thousand. */
class Row {
  constructor(values) {
    this.values = values;
  }
}
COLUMNS.forEach((name, i) => Object.defineProperty(Row.prototype, name, {get() { return this.values[i]; }}));

const HERE = 0, BEFORE = 1; /* the side of a network; of one alone the first */
const graphs = new Map(); /* by their views */

/* --- words --- */

/* Four digits, as in the tables. */
function quantity(value, unit) {
  if (value === null || value === undefined)
    return 'not known';
  const prefixes = {s: [[1, ''], [1e-3, 'm'], [1e-6, 'u'], [1e-9, 'n']], B: [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']]}[unit];
  const [factor, prefix] = prefixes.find(p => Math.abs(value) >= p[0]) || prefixes[prefixes.length - 1];
  return Number((value / factor).toPrecision(4)) + ' ' + prefix + unit;
}

const percent = ratio => ratio === null ? '? %' : Number((100 * ratio).toPrecision(3)) + ' %';

/* The end of a name tells more than its beginning. */
const cut = (text, most) => {
  const letters = Array.from(text), head = Math.floor(most / 3);
  return letters.length <= most ? text : letters.slice(0, head).join('') + '\u2026' + letters.slice(head + 1 - most).join('');
};

/* Cut to a width, in the letters that the browser has. */
function cutTo(text, width, isBold) {
  const pen = cutTo.pen = cutTo.pen || document.createElement('canvas').getContext('2d');
  pen.font = (isBold ? '600 12px ' : '11px ') + getComputedStyle(document.body).fontFamily;
  let most = Array.from(text).length, shown = text;
  while (most > 4 && pen.measureText(shown).width > width)
    shown = cut(text, --most);
  return shown;
}

/* --- what there is: items are rows ("r3"), blocks ("b1") and operators ("o7") --- */

function readGraph(view) {
  const json = what => JSON.parse(document.getElementById(what + view.id.slice(5)).textContent);
  const data = json('graph-data-'), g = {view, places: json('graph-places-'), table: data.table, words: data.words,
    ops: data.ops, blocks: data.blocks, levels: data.levels, open: new Set(), mode: 'time', zoom: 1, focus: null, at: null};
  const named = rows => rows.map(values => new Row(values));
  g.rows = named(data.rows);
  g.titles = data.titles;
  g.was = data.titles ? named(data.before) : null;
  g.blockOf = [];
  g.parentOf = [];
  g.blocks.forEach((block, b) => g.levels[b][1].forEach(child => {
    if (child < 0)
      g.parentOf[-child] = b;
    else
      g.blockOf[child] = b;
  }));
  g.rowOfOp = new Int32Array(g.ops.length);
  g.rows.forEach((row, r) => g.rowOfOp.fill(r, row.firstOp, row.firstOp + row.ops));
  g.rowOfLevel = new Map(g.rows.map((row, r) => [row.level, r]));
  g.rowOfLayer = new Map();
  g.rows.forEach((row, r) => row.layer && g.rowOfLayer.set(row.layer, r));
  return g;
}

const numberOf = key => Number(key.slice(1));

/* The children of a level, which is of a block or of a row. */
function childrenOf(g, level) {
  const list = g.levels[level][1];
  if (list)
    return list.map(child => child < 0 ? 'b' + -child : 'r' + child);
  const row = g.rows[g.rowOfLevel.get(level)];
  return Array.from({length: row.ops}, (_, i) => 'o' + (row.firstOp + i));
}

/* The level that an item opens into, or null. */
const levelOf = (g, key) => key[0] === 'b' ? numberOf(key) : key[0] === 'r' ? g.rows[numberOf(key)].level : null;

/* What an item is in; null for a child of the whole. */
function homeOf(g, key) {
  const n = numberOf(key), block = key[0] === 'r' ? g.blockOf[n] : g.parentOf[n];
  return key[0] === 'o' ? 'r' + g.rowOfOp[n] : block ? 'b' + block : null;
}

function rowsIn(g, key, side = HERE) {
  const n = numberOf(key), rows = side === HERE ? g.rows : g.was;
  if (key[0] === 'b')
    return rows.slice(g.blocks[n][2], g.blocks[n][2] + g.blocks[n][3]);
  return [rows[key[0] === 'r' ? n : g.rowOfOp[n]]];
}

const nameOf = (g, key) => {
  const n = numberOf(key);
  return key[0] === 'b' ? g.blocks[n][1] : key[0] === 'r' ? g.rows[n].name : g.ops[n][0] || g.ops[n][1];
};

/* Of two networks, whether one of them has it. */
function isOn(g, key, side) {
  return !g.titles || (key[0] === 'o' ? g.ops[numberOf(key)][3 + side] : rowsIn(g, key, side).some(row => row.isThere));
}

const differs = (g, key) => key[0] !== 'o' && rowsIn(g, key).some(row => row.change > 1 || row.isThere === 0);

/* --- colours: what a box says by them it says in words as well --- */

const known = values => values.filter(v => v !== null);
const sum = values => known(values).length ? known(values).reduce((a, b) => a + b, 0) : null;
const most = values => known(values).length ? Math.max(...known(values)) : null;
const EXECUTORS = ['by-accelerator', 'by-host', 'by-both', 'by-nobody'];
const EXECUTOR_WORDS = ['accelerator', 'host', 'both', 'nobody: it names memory alone'];
const BOUND_WORDS = {...BOUNDS, 'b-other': 'not known'};

/* The value that has most of the time. */
function heaviest(rows, of) {
  const weights = new Map();
  rows.forEach(row => weights.set(of(row), (weights.get(of(row)) || 0) + 1e-9 + (row.timeShare || 0)));
  return Array.from(weights).sort((a, b) => b[1] - a[1])[0][0];
}

const CHANGED = 2, ONLY_HERE = 3;
const timeOf = row => row.measured === null ? row.expected === null ? row.ideal : row.expected : row.measured;
const slower = rows => sum(rows.map(timeOf)) > sum(rows.map(row => row.before)) ? 'slower' : 'faster';
const shade = ratio => ratio > 0 ? 0.06 + 0.44 * Math.sqrt(Math.min(1, ratio)) : 0;
const hasValue = (g, name) => g.rows.some(row => row[name] !== null);
const MODES = {
  time: {label: g => g.words[0], can: g => hasValue(g, 'timeShare'), tone: 'heat',
    of: rows => { const r = sum(rows.map(row => row.timeShare)); return {fill: shade(r), words: r === null ? 'time not known' : percent(r)}; }},
  gap: {label: () => 'gap', can: g => g.words[1] && hasValue(g, 'gapShare'), tone: 'heat-gap',
    of: rows => { const r = sum(rows.map(row => row.gapShare)); return {fill: shade(r), words: r === null ? 'gap not known' : percent(r) + ' of gaps'}; }},
  bound: {label: () => 'bound', can: g => g.rows.some(row => row.bound),
    of: rows => { const b = heaviest(rows, row => row.boundClass); return {tone: b, fill: 0.24, words: BOUND_WORDS[b]}; }},
  memory: {label: () => 'memory alive', can: g => g.words[2], tone: 'heat-memory',
    of: rows => { const r = most(rows.map(row => row.aliveShare)); return {fill: shade(r), words: r === null ? 'bytes not known' : quantity(most(rows.map(row => row.alive)), 'B')}; }},
  change: {label: () => 'change', can: g => g.rows.some(row => row.change), of: (rows, g) => {
    const changed = rows.filter(row => row.change === CHANGED), isNew = rows.some(row => row.change === ONLY_HERE), row = rows[0];
    if (rows.length > 1)
      return {tone: changed.length ? changed.some(r => timeOf(r) === null || r.before === null) ? 'differs' : slower(changed) : isNew ? 'only-here' : '', fill: changed.length || isNew ? 0.3 : 0,
        words: (changed.length || !isNew ? changed.length + ' changed' : '') + (isNew ? (changed.length ? ', ' : '') + rows.filter(r => r.change === ONLY_HERE).length + (g.titles ? ' in one alone' : ' only here') : '')};
    if (g.titles)
      return {tone: row.change === ONLY_HERE || !row.isThere ? 'only-here' : timeOf(row) === null || row.before === null ? 'differs' : slower(rows),
        fill: row.change > 1 || !row.isThere ? 0.3 : 0, words: row.why || (row.change > 1 || !row.isThere ? 'only here' : 'the same')};
    return {tone: row.change === CHANGED ? slower(rows) : 'only-here', fill: row.change > 1 ? 0.3 : 0, words: row.change === CHANGED
      ? quantity(timeOf(row), 's') + ', was ' + quantity(row.before, 's') : ['not compared', 'no change shown', '', 'only here'][row.change]};
  }},
  executor: {label: () => 'host or accelerator', can: () => true,
    of: rows => { const e = heaviest(rows, row => row.executor); return {tone: EXECUTORS[e] || 'by-nobody', fill: 0.24, words: e === null ? '' : heaviest(rows, row => row.device)}; }},
};

function keyWords(g) {
  const list = (tones, words) => tones.map((tone, i) => [tone, words[i]]);
  switch (g.mode) {
  case 'bound':
    return list(Object.keys(BOUND_WORDS).filter(b => g.rows.some(row => row.boundClass === b)), Object.keys(BOUND_WORDS)
      .filter(b => g.rows.some(row => row.boundClass === b)).map(b => BOUND_WORDS[b]));
  case 'change':
    return g.titles ? [['faster', 'takes less than before'], ['slower', 'more'], ['differs', 'differs'], ['only-here', 'in one of them alone']]
      : [['faster', 'faster than in the baseline'], ['slower', 'slower'], ['only-here', 'only here']];
  case 'executor':
    return list(EXECUTORS, EXECUTOR_WORDS).filter((_, i) => g.rows.some(row => row.executor === i));
  default:
    return null;
  }
}

/* --- places --- */

/* Space that open boxes need in one direction: pieces of the axis that are stretched, so that what is beside and behind keeps its
 * distance. */
function stretched(needs) {
  const pieces = [];
  const map = x => pieces.reduce((at, p) => at + p.more * Math.min(1, Math.max(0, (x - p.from) / (p.to - p.from))), x);
  needs.sort((a, b) => b.need - a.need).forEach(n => {
    const more = n.need - (map(n.to) - map(n.from));
    if (more > 0)
      pieces.push({from: n.from, to: n.to, more});
  });
  return map;
}

/* A level with its open boxes, measured from the inside out. */
function measure(g, level) {
  const p = g.places[g.levels[level][0]], children = childrenOf(g, level);
  const inner = children.map(key => g.open.has(key) ? measure(g, levelOf(g, key)) : null);
  const wide = inner.map(m => m ? Math.max(BOX.width, m.width + 2 * BOX.pad) : BOX.width);
  const high = inner.map(m => m ? m.height + BOX.head + BOX.pad : BOX.height);
  const needs = (sizes, axis, size) => sizes.map((need, i) => inner[i] &&
    {from: p.boxes[2 * i + axis] - size / 2, to: p.boxes[2 * i + axis] + size / 2, need: need}).filter(Boolean);
  const x = stretched(needs(wide, 0, BOX.width)), y = stretched(needs(high, 1, BOX.height));
  const items = children.map((key, i) => {
    const left = p.boxes[2 * i] - BOX.width / 2, top = p.boxes[2 * i + 1] - BOX.height / 2;
    const middle = {x: (x(left) + x(left + BOX.width)) / 2, y: (y(top) + y(top + BOX.height)) / 2};
    return {key, inner: inner[i], width: wide[i], height: high[i], x: middle.x - wide[i] / 2, y: middle.y - high[i] / 2};
  });
  const curves = p.curves.map(c => c.map((v, i) => i % 2 ? y(v) : x(v)));
  g.levels[level][2].forEach((edge, i) => meetBoxes(curves[i], edge, items));
  return {level, items, curves, width: x(p.size[0]), height: y(p.size[1])};
}

/* Boxes in one row of a level may differ in height: an edge ends at them, not where the tallest does. */
function meetBoxes(curve, edge, items) {
  const from = items[edge[0]], to = items[edge[1]], last = curve.length - 1;
  if (from && from.y + from.height < curve[1])
    curve[1] = from.y + from.height;
  if (to && to.y > curve[last])
    curve[last] = to.y;
}

/* --- drawing --- */

function shapeOf(name, attributes, home) {
  const e = document.createElementNS(document.querySelector('svg.graph').namespaceURI, name); /* of the picture */
  for (const key in attributes)
    e.setAttribute(key, attributes[key]);
  home.appendChild(e);
  return e;
}

const WAYS = [['external', 1, 'through external memory'], ['unsure', 2, 'it is not known which way'], ['on-chip', 0, 'on chip']];
const bytesOf = (edge, side) => edge.slice(2 + 4 * side, 5 + 4 * side); /* by way; of two networks "it is there" follows */
const hasEdge = (g, edge, side) => !g.titles || edge[5 + 4 * side];
const wayOf = bytes => (WAYS.find(w => bytes[w[1]] || bytes[w[1]] === null) || WAYS[1])[0];
const allOf = bytes => bytes.some(b => b === null) ? null : bytes[0] + bytes[1] + bytes[2];

/* Against straight down, by where the curve comes from. */
const headDegrees = c => {
  const n = c.length, x = c[n - 2] - c[n - 4], y = c[n - 1] - c[n - 3];
  return x || y ? Math.round(Math.atan2(-x, y) * 180 / Math.PI) : 0;
};

function drawEdge(g, edge, c, home, side) {
  const bytes = bytesOf(edge, side), way = wayOf(bytes), n = c.length;
  const parts = WAYS.filter(w => bytes[w[1]]).map(w => quantity(bytes[w[1]], 'B') + ' ' + w[2]);
  const group = shapeOf('g', {class: 'edge ' + way}, home);
  shapeOf('title', {}, group).textContent = parts.join(', ') || 'bytes not known';
  const path = 'M' + c[0] + ' ' + c[1] + 'C' + c.slice(2).map(v => Math.round(v)).join(' ');
  shapeOf('path', {class: way, d: path + (edge[1] === OUTSIDE ? 'v' + (BOX.pad + 2) : '')}, group);
  if (edge[1] !== OUTSIDE)
    shapeOf('path', {class: 'head ' + way, d: 'M0 0l-4 -7h8z', transform: `translate(${c[n - 2]} ${c[n - 1]}) rotate(${headDegrees(c)})`}, group);
}

/* Bytes beside the middle of an edge, where there is room. */
function labelEdges(g, m, edges, home, side) {
  const taken = m.items.map(i => [i.x, i.y, i.x + i.width, i.y + i.height]);
  const free = b => taken.every(t => b[0] > t[2] || b[2] < t[0] || b[1] > t[3] || b[3] < t[1]);
  edges.forEach((edge, i) => {
    const c = m.curves[i], bytes = allOf(bytesOf(edge, side)), middle = 2 * Math.floor(c.length / 4);
    if (bytes === null || !hasEdge(g, edge, side) || edge[0] === OUTSIDE || edge[1] === OUTSIDE)
      return;
    const text = quantity(bytes, 'B'), x = c.length > 8 ? c[middle] : (c[0] + 3 * c[2] + 3 * c[4] + c[6]) / 8;
    const y = (c.length > 8 ? c[middle + 1] : (c[1] + 3 * c[3] + 3 * c[5] + c[7]) / 8) + 3;
    const box = [x + 5, y - 9, x + 8 + 6.4 * text.length, y + 3];
    if (box[2] > m.width || !free(box))
      return;
    taken.push(box);
    shapeOf('text', {class: 'bytes', x: x + 6, y}, home).textContent = text;
  });
}

/* What a change is can be told of the newer network alone, where that has it. */
const rowsTold = (g, key, side) => rowsIn(g, key, g.mode === 'change' && isOn(g, key, HERE) ? HERE : side);

const counted = rows => (n => n + (n === 1 ? ' row' : ' rows'))(rows.filter(row => row.isThere !== 0).length);

/* Times of a network before it was compiled are by another law than those of its code. */
const isUntold = (g, side) => side === BEFORE && (g.mode === 'time' || g.mode === 'gap') && g.was.every(row => row.timeShare === null);

function describe(g, key, side) {
  const n = numberOf(key), rows = rowsIn(g, key, side);
  const words = isUntold(g, side) ? '' : MODES[g.mode].of(rowsTold(g, key, side), g).words;
  if (key[0] === 'b')
    return [g.blocks[n][1], [counted(rows), words].filter(Boolean).join(', ')];
  if (key[0] === 'o')
    return [g.ops[n][0] || g.ops[n][1], g.ops[n][1] + (g.ops[n][2] ? '' : ', of no row')];
  const together = rows[0].withOthers && ['time', 'gap', 'change'].indexOf(g.mode) >= 0 ? 'in row ' + rows[0].table : words;
  return [rows[0].name, [g.mode === 'change' && rows[0].change > 1 ? '' : cut(rows[0].type, 18), together].filter(Boolean).join(', ')];
}

function drawItem(g, item, home, side) {
  const {key, inner} = item;
  if (!isOn(g, key, side)) {
    shapeOf('rect', {class: 'ghost', x: item.x, y: item.y, width: item.width, height: item.height}, home);
    return;
  }
  const level = levelOf(g, key), [name, note] = describe(g, key, side), kind = {b: 'block', r: 'row', o: 'op'}[key[0]];
  const colour = key[0] === 'o' ? {fill: 0} : MODES[g.mode].of(rowsTold(g, key, side), g), tone = colour.tone || MODES[g.mode].tone;
  const group = shapeOf('g', {class: 'box ' + kind + (inner ? ' opened' : ''), transform: `translate(${item.x} ${item.y})`,
    role: 'button', tabindex: -1, 'data-key': key, 'aria-label': name + ', ' + note}, home);
  if (level !== null)
    group.setAttribute('aria-expanded', Boolean(inner));
  if (key[0] === 'b' && !inner)
    shapeOf('rect', {class: 'under', x: 4, y: 4, width: item.width, height: item.height}, group);
  shapeOf('rect', {class: 'paper', width: item.width, height: item.height}, group);
  if (colour.fill)
    shapeOf('rect', {class: 'fill ' + tone, width: item.width, height: inner ? BOX.head : item.height, 'fill-opacity': colour.fill.toFixed(2)}, group);
  const title = inner && note ? cut(name, 40) + ', ' + note : name, width = item.width - (level === null ? 14 : 32);
  shapeOf('text', {class: 'name', x: 8, y: inner ? 20 : 18}, group).textContent = cutTo(title, width, true);
  if (!inner)
    shapeOf('text', {class: 'value', x: 8, y: 35}, group).textContent = cutTo(note, item.width - 14, false);
  if (differs(g, key)) /* a corner, in every colour */
    shapeOf('path', {class: 'changed', d: 'M0 0h11l-11 11z'}, group);
  if (level !== null)
    shapeOf('path', {class: 'sign', d: `M${item.width - 17} ${inner ? 15 : 14}h9` + (inner ? '' : 'm-4.5 -4.5v9')}, group);
  if (g.items.has(key))
    g.twins.set(key, g.items.get(key));
  g.items.set(key, group);
  if (inner)
    drawLevel(g, inner, shapeOf('g', {transform: `translate(${(item.width - inner.width) / 2} ${BOX.head})`}, group), side);
}

function drawLevel(g, m, home, side) {
  const edges = g.levels[m.level][2];
  edges.forEach((edge, i) => hasEdge(g, edge, side) && drawEdge(g, edge, m.curves[i], home, side));
  m.items.forEach(item => drawItem(g, item, home, side));
  if (edges.length <= MOST_LABELS)
    labelEdges(g, m, edges, home, side);
}

/* Two networks have the same places, so that what belongs together is in line. */
function drawSides(g, m) {
  [BEFORE, HERE].forEach((side, i) => {
    const home = shapeOf('g', {transform: `translate(${i * (m.width + BETWEEN)} ${HEADING})`}, g.svg);
    shapeOf('text', {class: 'side', y: -HEADING / 2}, home).textContent = cutTo(g.titles[side], m.width, true);
    drawLevel(g, m, home, side);
  });
}

function size(g) {
  g.svg.setAttribute('width', Math.ceil(g.wide * g.zoom));
  g.svg.setAttribute('height', Math.ceil(g.high * g.zoom));
}

/* What is marked stays so, or the box that has it now. */
function markShown(g) {
  g.svg.querySelectorAll('.marked, .found').forEach(e => e.classList.remove('marked', 'found'));
  [[g.at, 'marked'], [g.found, 'found']].forEach(([key, name]) => key &&
    [g.items, g.twins].forEach(map => (box => box && box.classList.add(name))(map.get(shownFor(g, key)))));
}

function shownFor(g, key) {
  while (!g.items.has(key))
    key = homeOf(g, key);
  return key;
}

function draw(g) {
  const m = measure(g, 0);
  g.items = new Map();
  g.twins = new Map(); /* of two networks, boxes of the older one whose own are in the newer one */
  g.wide = (g.titles ? 2 * m.width + BETWEEN : m.width) + 2 * MARGIN;
  g.high = m.height + (g.titles ? HEADING : 0) + 2 * MARGIN;
  g.svg.replaceChildren();
  g.svg.setAttribute('viewBox', [-MARGIN, -MARGIN, g.wide, g.high].join(' '));
  if (g.titles)
    drawSides(g, m);
  else
    drawLevel(g, m, g.svg, HERE);
  size(g);
  setStop(g, g.focus && g.items.has(g.focus) ? g.focus : g.focus ? shownFor(g, g.focus) : g.items.keys().next().value);
  markShown(g);
}

/* --- opening and folding --- */

/* What is under the eyes stays there. */
function toggle(g, key) {
  const before = g.items.get(key).getBoundingClientRect();
  if (!g.open.delete(key))
    g.open.add(key);
  redrawAt(g, key, before);
}

function redrawAt(g, key, before) {
  const hadFocus = g.pane.contains(document.activeElement) && document.activeElement !== g.pane;
  draw(g);
  const after = g.items.get(key).getBoundingClientRect();
  g.pane.scrollLeft += after.left + Math.min(after.width, g.pane.clientWidth) / 2 - before.left - before.width / 2;
  g.pane.scrollTop += after.top - before.top;
  if (hadFocus)
    focusItem(g, key);
}

function revealItem(g, key) {
  let opened = false;
  for (let home = homeOf(g, key); home; home = homeOf(g, home)) {
    opened = opened || !g.open.has(home);
    g.open.add(home);
  }
  if (opened)
    draw(g);
}

function openAll(g, isOpen) {
  g.open.clear();
  for (let b = 1; isOpen && b < g.blocks.length; b++)
    g.open.add('b' + b);
  draw(g);
}

/* --- the focus: one stop of the Tab key, arrow keys within --- */

function setStop(g, key) {
  const old = g.focus && g.items.get(g.focus);
  if (old)
    old.setAttribute('tabindex', -1);
  g.focus = key;
  g.items.get(key).setAttribute('tabindex', 0);
}

function showItem(g, key) {
  const box = g.items.get(key).getBoundingClientRect(), pane = g.pane.getBoundingClientRect();
  if (box.left < pane.left || box.right > pane.right)
    g.pane.scrollLeft += box.left + box.width / 2 - pane.left - pane.width / 2;
  if (box.top < pane.top || box.bottom > pane.bottom)
    g.pane.scrollTop += box.top - pane.top - Math.max(20, (pane.height - box.height) / 2);
}

function focusItem(g, key) {
  setStop(g, key);
  g.items.get(key).focus({preventScroll: true});
  showItem(g, key);
}

/* The nearest one in a direction, where what is askew counts twice; not one that is around it, nor in it. */
function nextItem(g, key, dx, dy) {
  const own = g.items.get(key), at = own.getBoundingClientRect();
  let best = null, least = Infinity;
  g.items.forEach((e, other) => {
    const to = e.getBoundingClientRect(), x = to.left + to.width / 2 - at.left - at.width / 2;
    const y = dy > 0 ? to.top - at.top : dy < 0 ? to.top - at.top : 0, ahead = dx ? x * dx : y * dy, askew = Math.abs(dx ? to.top - at.top : x);
    if (other !== key && ahead > 1 && ahead + 2 * askew < least && !(dx && (e.contains(own) || own.contains(e)))) {
      least = ahead + 2 * askew;
      best = other;
    }
  });
  return best;
}

/* --- to the table and the charts, and back --- */

const rowKey = (g, key) => key[0] === 'r' ? key : key[0] === 'o' ? 'r' + g.rowOfOp[numberOf(key)] : null;

function tableRowOf(g, key) {
  const row = rowKey(g, key) && g.rows[numberOf(rowKey(g, key))];
  return row && row.table ? rowOf(g.table + '-' + row.table) : null;
}

function tellBefore(g, key, line) {
  const was = rowsIn(g, key, BEFORE)[0], row = rowsIn(g, key)[0];
  return [line('before', !was.isThere ? 'not there' : was.name + (timeOf(was) === null ? '' : ', ' + quantity(timeOf(was), 's'))),
    row.isThere ? null : line('after', 'not there'), line('differs by', row.why)];
}

function tell(g, key) {
  const line = (label, text) => text && text !== 'not known' ? [label, text] : null, facts = g.facts;
  facts.replaceChildren();
  const rows = rowsIn(g, key, isOn(g, key, HERE) ? HERE : BEFORE), row = rows[0], n = numberOf(key), isBlock = key[0] === 'b', list = facts.appendChild(document.createElement('dl'));
  const lines = isBlock ? [line('block', g.blocks[n][1]), line('rows', String(rows.length)),
    line('of the ' + g.words[0], percent(sum(rows.map(r => r.timeShare)))),
    line('of gaps', g.words[1] && percent(sum(rows.map(r => r.gapShare)))),
    line('most alive', g.words[2] && quantity(most(rows.map(r => r.alive)), 'B'))] : [
    key[0] === 'o' ? line('operator', nameOf(g, key) + ', ' + g.ops[n][1]) : null,
    line(key[0] === 'o' && !g.ops[n][2] ? 'drawn with row' : 'row', row.name), line('type', row.type), line('shape', row.shape), line('runs on', row.device),
    line('ideal', quantity(row.ideal, 's')), line('expected', quantity(row.expected, 's')),
    row.withOthers ? line('measured', 'with row ' + row.table) : line('measured', quantity(row.measured, 's')),
    row.change && !g.titles ? line('baseline', row.change === ONLY_HERE ? 'not there' : quantity(row.before, 's') + (row.change === CHANGED ? '' :
      ', no difference is shown')) : null,
    line('of the ' + g.words[0], row.timeShare !== null && percent(row.timeShare)),
    line('of gaps', g.words[1] && row.gapShare !== null && percent(row.gapShare)),
    line('bound', row.bound), line('alive', g.words[2] && quantity(row.alive, 'B') + ' of ' + g.words[2])];
  if (g.titles && !isBlock)
    lines.push(...tellBefore(g, key, line));
  lines.filter(Boolean).forEach(([label, text]) => {
    const div = list.appendChild(document.createElement('div'));
    div.appendChild(document.createElement('dt')).textContent = label;
    div.appendChild(document.createElement('dd')).textContent = text;
  });
  const links = document.createElement('p'), inTable = tableRowOf(g, key), spot = inTable && hasSpots(inTable);
  if (levelOf(g, key) !== null)
    addButton(links, g.open.has(key) ? 'fold' : 'open', (g.open.has(key) ? 'fold ' : 'open ') + nameOf(g, key), () => { toggle(g, key); tell(g, key); });
  if (inTable)
    addButton(links, 'in the table', 'row of the table', () => goToRow(inTable));
  if (spot)
    addButton(links, 'in the roofline', 'mark in the roofline', () => goToSpot(inTable));
  facts.appendChild(links);
}

/* Marks it everywhere, and tells what it is. */
function choose(g, key) {
  const row = tableRowOf(g, key);
  if (row)
    mark(row);
  g.at = key;
  g.found = null;
  markShown(g);
  tell(g, key);
}

/* The graph of a table's row, and the row of it. */
function nodeOf(row) {
  const found = /^layers-(\d+)-(\d+)$/.exec(row ? row.id : '');
  const view = found && ['view-' + found[1], 'view-' + found[1] + '-beside'].map(id => document.getElementById(id)).find(Boolean);
  const g = view && graphOf(view), r = g ? g.rowOfLayer.get(Number(found[2])) : undefined;
  return r === undefined ? null : {g, key: 'r' + r};
}

/* When a row is marked its node is as well, or the box that has it; and there is a way to it. */
function markNode(row) {
  document.querySelectorAll('.to-node.here').forEach(e => e.remove());
  const node = nodeOf(row), name = node && row.querySelector('td.name');
  if (!node)
    return;
  node.g.at = node.key;
  markShown(node.g);
  tell(node.g, node.key);
  if (name) {
    const link = name.appendChild(document.createElement('a'));
    link.className = 'to-node here';
    link.href = '#node-' + row.id.slice(7);
    link.setAttribute('aria-label', 'in the graph');
  }
}

function goToNode({g, key}) {
  revealItem(g, key);
  choose(g, key);
  g.view.scrollIntoView({block: 'nearest'});
  focusItem(g, key);
}

function followNode() {
  const found = /^#node-(\d+)-(\d+)$/.exec(location.hash), node = found && nodeOf({id: 'layers-' + found[1] + '-' + found[2]});
  if (node)
    goToNode(node);
}

/* --- search --- */

function find(g, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean), has = t => words.every(w => t.toLowerCase().indexOf(w) >= 0);
  const hits = [];
  g.rows.forEach((row, r) => {
    const was = g.was ? '\n' + g.was[r].name + '\n' + g.was[r].type : '';
    if (words.length && has(row.name + '\n' + row.type + was))
      hits.push('r' + r);
    for (let o = row.firstOp; words.length && row.level !== null && o < row.firstOp + row.ops; o++)
      if (has(g.ops[o][0] + '\n' + g.ops[o][1]))
        hits.push('o' + o);
  });
  g.hits = hits;
  g.hit = -1;
}

function goToHit(g, step) {
  if (g.hits.length) {
    g.hit = (g.hit + step + g.hits.length + (g.hit < 0 && step < 0 ? 1 : 0)) % g.hits.length;
    const key = g.hits[g.hit];
    revealItem(g, key);
    g.found = key;
    markShown(g);
    setStop(g, key);
    showItem(g, key);
    tell(g, key);
  }
  g.count.textContent = g.query.value.trim() ? (g.hits.length ? g.hit + 1 + ' of ' + g.hits.length : 'none') : '';
}

/* --- zoom --- */

/* The point of the graph under x, y of the pane stays there. */
function zoomGraph(g, zoom, x = g.pane.clientWidth / 2, y = g.pane.clientHeight / 2) {
  const before = g.zoom, at = {x: (g.pane.scrollLeft + x) / before, y: (g.pane.scrollTop + y) / before};
  g.zoom = Math.min(4, Math.max(0.05, zoom));
  size(g);
  g.pane.scrollLeft = at.x * g.zoom - x;
  g.pane.scrollTop = at.y * g.zoom - y;
}

const fitting = g => Math.min(1, (g.pane.clientWidth - 2) / g.wide, (g.pane.clientHeight - 2) / g.high);

function makePointers(g) {
  const down = new Map();
  let moved = 0, apart = 0;
  const spread = () => { const [a, b] = Array.from(down.values()); return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); };
  g.pane.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey)
      return; /* else the page could not be scrolled past */
    const box = g.pane.getBoundingClientRect();
    zoomGraph(g, g.zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    event.preventDefault();
  }, {passive: false});
  g.svg.addEventListener('pointerdown', event => {
    down.set(event.pointerId, event);
    moved = 0;
    apart = down.size === 2 ? spread() : 0;
  });
  window.addEventListener('pointermove', event => {
    const old = down.get(event.pointerId);
    if (!old)
      return;
    down.set(event.pointerId, event);
    moved += Math.abs(event.clientX - old.clientX) + Math.abs(event.clientY - old.clientY);
    if (down.size === 2) {
      const now = spread(), box = g.pane.getBoundingClientRect();
      const [a, b] = Array.from(down.values());
      zoomGraph(g, g.zoom * now / (apart || now), (a.clientX + b.clientX) / 2 - box.left, (a.clientY + b.clientY) / 2 - box.top);
      apart = now;
    } else if (event.pointerType === 'mouse' && moved > 4) { /* a finger scrolls by itself */
      g.pane.scrollLeft -= event.clientX - old.clientX;
      g.pane.scrollTop -= event.clientY - old.clientY;
    }
  });
  ['pointerup', 'pointercancel'].forEach(name => window.addEventListener(name, event => down.delete(event.pointerId)));
  g.svg.addEventListener('click', event => {
    const box = event.target.closest('.box');
    if (!box || moved > 4)
      return;
    const key = box.dataset.key, isChosen = g.at === key;
    setStop(g, key);
    choose(g, key);
    if (levelOf(g, key) !== null && (key[0] === 'b' || isChosen))
      toggle(g, key);
    tell(g, key);
    focusItem(g, key);
  });
}

function makeKeys(g) {
  g.pane.addEventListener('keydown', event => {
    const box = document.activeElement.closest('.box'), key = box && box.dataset.key, way = DIRECTIONS[event.key];
    const factor = {'+': 1.25, '=': 1.25, '-': 0.8}[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (factor)
      zoomGraph(g, g.zoom * factor);
    else if (event.key === '0')
      zoomGraph(g, fitting(g));
    else if (way && (event.shiftKey || !box))
      g.pane.scrollBy(80 * way[0], 80 * way[1]);
    else if (way)
      (next => next && focusItem(g, next))(nextItem(g, key, way[0], way[1]));
    else if (box && (event.key === 'Enter' || event.key === ' ')) {
      choose(g, key);
      if (levelOf(g, key) !== null)
        toggle(g, key);
      tell(g, key);
    } else if (box && event.key === 'Escape' && homeOf(g, key)) {
      const home = homeOf(g, key);
      toggle(g, home);
      focusItem(g, home);
    } else if (box && event.key === 't' && tableRowOf(g, key))
      goToRow(tableRowOf(g, key));
    else
      return;
    event.preventDefault();
  });
  g.pane.addEventListener('focusin', event => {
    const box = event.target.closest('.box');
    if (box && box.dataset.key !== g.focus)
      setStop(g, box.dataset.key);
  });
}

/* --- tools --- */

function makeColours(g, home) {
  const field = home.appendChild(document.createElement('fieldset')), name = g.view.id + '-colour';
  field.appendChild(document.createElement('legend')).textContent = 'colour';
  Object.keys(MODES).filter(mode => MODES[mode].can(g)).forEach(mode => {
    const label = field.appendChild(document.createElement('label')), radio = label.appendChild(document.createElement('input'));
    Object.assign(radio, {type: 'radio', name, value: mode, checked: mode === g.mode});
    label.appendChild(document.createTextNode(' ' + MODES[mode].label(g)));
    radio.addEventListener('change', () => {
      g.mode = mode;
      draw(g);
      showKey(g);
    });
  });
}

function showKey(g) {
  const add = (tone, text) => {
    const item = g.key.appendChild(document.createElement('span'));
    item.className = 'swatch ' + tone;
    item.textContent = text;
  };
  const words = keyWords(g);
  g.key.replaceChildren();
  if (words)
    words.forEach(([tone, text]) => add(tone, text));
  else
    add('ramp ' + MODES[g.mode].tone, {time: 'share of the ' + g.words[0], gap: 'share of all gaps, ' + g.words[1],
      memory: 'bytes alive in ' + g.words[2] + ', of its peak'}[g.mode] + ': none to all');
  const edges = g.levels.map(level => level[2]).flat(), ways = (g.titles ? [HERE, BEFORE] : [HERE]).map(side =>
    edges.filter(edge => hasEdge(g, edge, side)).map(edge => wayOf(bytesOf(edge, side)))).flat();
  if (g.rows.some(row => row.change > 1))
    add('corner', g.titles ? 'differs' : 'changed since the baseline');
  WAYS.filter(w => ways.indexOf(w[0]) >= 0).forEach(w => add('way ' + w[0], w[2]));
}

function makeTools(g) {
  const tools = g.tools, finder = document.createElement('div');
  makeColours(g, tools);
  finder.className = 'finder';
  g.query = finder.appendChild(document.createElement('input'));
  Object.assign(g.query, {type: 'search', className: 'find', placeholder: 'find by name or type'});
  g.query.setAttribute('aria-label', 'find rows and operators by name or type');
  g.count = document.createElement('span');
  g.count.className = 'filter-count';
  g.count.setAttribute('aria-live', 'polite');
  g.query.addEventListener('input', () => { find(g, g.query.value); goToHit(g, 1); });
  g.query.addEventListener('keydown', event => event.key === 'Enter' && goToHit(g, event.shiftKey ? -1 : 1));
  addButton(finder, '\u2191', 'previous', () => goToHit(g, -1));
  addButton(finder, '\u2193', 'next', () => goToHit(g, 1));
  finder.appendChild(g.count);
  tools.appendChild(finder);
  const zooms = tools.appendChild(document.createElement('div'));
  addButton(zooms, '+', 'larger', () => zoomGraph(g, g.zoom * 1.25));
  addButton(zooms, '\u2212', 'smaller', () => zoomGraph(g, g.zoom * 0.8));
  addButton(zooms, 'fit', 'all of it', () => zoomGraph(g, fitting(g)));
  if (g.blocks.length > 1) {
    if (g.rows.length <= MOST_OPEN)
      addButton(zooms, 'open all', 'open all blocks', () => openAll(g, true));
    addButton(zooms, 'fold all', 'fold all blocks', () => openAll(g, false));
  }
  find(g, '');
}

/* Thousands of boxes take longer than the rest of the page, so they wait for a reader who comes near, or follows a link. */
function graphOf(view) {
  if (!graphs.has(view))
    makeGraph(view);
  return graphs.get(view);
}

function makeGraph(view) {
  const g = readGraph(view), part = name => {
    const e = view.appendChild(document.createElement('div'));
    e.className = name;
    return e;
  };
  g.tools = part('tools chart-tools graph-tools');
  g.key = part('graph-key');
  g.pane = part('graph-pane scroll');
  g.facts = part('graph-facts');
  g.facts.appendChild(view.querySelector('.graph-help').cloneNode(true));
  g.facts.setAttribute('aria-live', 'polite');
  g.pane.setAttribute('role', 'group');
  g.pane.setAttribute('tabindex', 0);
  g.pane.setAttribute('aria-label', 'graph of the network; arrow keys go from box to box, Enter opens one, Escape folds the one ' +
    'around, t goes to the table, plus, minus and 0 zoom');
  g.svg = shapeOf('svg', {class: 'graph live', role: 'group', 'aria-label': 'boxes'}, g.pane);
  view.classList.add('live'); /* until then the picture is seen */
  g.mode = Object.keys(MODES).find(mode => MODES[mode].can(g));
  graphs.set(view, g);
  makeTools(g);
  showKey(g);
  draw(g);
  zoomGraph(g, Math.max(0.6, Math.min(1, (g.pane.clientWidth - 2) / g.wide)));
  g.pane.scrollLeft = (g.pane.scrollWidth - g.pane.clientWidth) / 2;
  makePointers(g);
  makeKeys(g);
}

document.addEventListener('DOMContentLoaded', () => {
  const near = new IntersectionObserver(seen => seen.filter(one => one.isIntersecting).forEach(one => {
    near.unobserve(one.target);
    graphOf(one.target);
  }), {rootMargin: '0px 0px 100% 0px'});
  document.querySelectorAll('.graph-view').forEach(view => {
    near.observe(view);
    view.addEventListener('focusin', () => graphs.has(view) || focusItem(graphOf(view), graphOf(view).focus));
  });
  window.addEventListener('hashchange', followNode);
  followNode();
});
