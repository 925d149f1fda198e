// What checks.py asks of a page, inside a function of its own. Each check returns {looked, problems}: how many
// things it looked at, and a line for each fault. checks.py says what is a fault.
'use strict';

const TOLERANCE_PX = 1;
const MOST_LINES = 12; // per check; the rest is counted

// ---- helpers ----

function verdict(looked, problems) {
  const rest = problems.length - MOST_LINES;
  return {looked, problems: rest > 0 ? [...problems.slice(0, MOST_LINES), `and ${rest} more`] : problems};
}

function short(text, most = 40) {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > most ? line.slice(0, most - 1) + '…' : line;
}

// As in a selector, with its text, and where it is: td.num "12.5" in #layers.
function describe(element) {
  const names = [...element.classList].map(name => '.' + name).join('');
  const own = element.localName + (element.id ? '#' + element.id : '') + names;
  const text = short(element.textContent);
  const home = element.parentElement && element.parentElement.closest('[id]');
  return own + (text ? ` "${text}"` : '') + (home ? ` in #${home.id}` : '');
}

const NEVER_DRAWN = 'defs, symbol, clipPath, mask, pattern, marker';

function shown(element) {
  return element.checkVisibility({
    opacityProperty: true, visibilityProperty: true,
    checkOpacity: true, checkVisibilityCSS: true, // the same for older browsers
  }) && !element.closest(NEVER_DRAWN);
}

// What can be opened without script is looked at as if it were open.
function openDetails() {
  for (const details of document.querySelectorAll('details'))
    details.open = true;
}

const pause = ms => new Promise(done => setTimeout(done, ms));

// A page may take a moment to react. True once the condition is.
async function until(condition, ms = 100) {
  for (const end = performance.now() + ms; performance.now() < end; await pause(10))
    if (condition())
      return true;
  return condition();
}

// ---- charts ----

const SHAPES = 'path, rect, circle, ellipse, line, polyline, polygon, text, image, use';

function hasInk(shape) {
  if (!shown(shape))
    return false;
  const style = getComputedStyle(shape), box = shape.getBBox();
  const paints = ['image', 'use'].includes(shape.localName) ||
    [style.fill, style.stroke].some(paint => paint !== 'none' && colour(paint).a > 0);
  return paints && (box.width > 0 || box.height > 0);
}

// A chart of boxes: something inside has a background or is a picture.
function hasBoxes(element) {
  return [...element.querySelectorAll('*')].some(e => {
    const box = e.getBoundingClientRect();
    return shown(e) && box.width > 0 && box.height > 0 &&
      (e.matches('img, canvas') || colour(getComputedStyle(e).backgroundColor).a > 0);
  });
}

// A figure may hold its chart in several sizes, of which the page shows the one that fits.
function hasOtherSize(chart) {
  const figure = chart.closest('figure');
  return figure !== null && [...figure.querySelectorAll('svg')].some(other => other !== chart && shown(other));
}

function charts() {
  const LEAST_PX = 50, problems = [];
  openDetails();
  const all = [...document.querySelectorAll('figure svg:not(.spots), .chart')].filter(e => !e.parentElement.closest('svg'));
  for (const chart of all) {
    if (!shown(chart) && hasOtherSize(chart))
      continue;
    const box = chart.getBoundingClientRect();
    if (!shown(chart))
      problems.push(`${describe(chart)} is not visible`);
    else if (!(box.width > LEAST_PX && box.height > LEAST_PX))
      problems.push(`${describe(chart)} is only ${Math.round(box.width)} x ${Math.round(box.height)} px`);
    else if (![...chart.querySelectorAll(SHAPES)].some(e => e instanceof SVGElement && hasInk(e)) && !hasBoxes(chart))
      problems.push(`${describe(chart)} has nothing drawn in it`);
  }
  return verdict(all.length, problems);
}

// ---- width ----

function isInside(element) {
  const box = element.getBoundingClientRect();
  return box.left >= -TOLERANCE_PX && box.right <= document.documentElement.clientWidth + TOLERANCE_PX;
}

// In a box that scrolls for itself and is within the viewport. Scrolling of html and body is that of the page.
function scrollsItself(element) {
  for (let e = element.parentElement; e && e !== document.body; e = e.parentElement)
    if (/auto|scroll/.test(getComputedStyle(e).overflowX) && isInside(e))
      return true;
  return false;
}

// Innermost first: what is too wide itself, not because of what it contains. A text may stick out of its box.
function widest() {
  const limit = document.documentElement.clientWidth;
  const wide = [...document.body.querySelectorAll('*')].filter(e =>
    !e.closest('svg svg, svg *') && shown(e) && !scrollsItself(e) &&
    Math.max(e.getBoundingClientRect().right, e.getBoundingClientRect().left + e.scrollWidth) > limit);
  return wide.filter(e => !wide.some(other => other !== e && e.contains(other)));
}

function overflow() {
  const problems = [], width = document.scrollingElement.scrollWidth;
  openDetails();
  if (width > innerWidth) {
    problems.push(`the page is ${width} px wide in a viewport of ${innerWidth}`);
    for (const e of widest().slice(0, 5))
      problems.push(`${describe(e)} makes it so`);
  }
  const all = [...document.querySelectorAll('figure, svg, table')].filter(e => shown(e) && !e.matches('svg svg'));
  for (const e of all) {
    const box = e.getBoundingClientRect();
    if (!isInside(e) && !scrollsItself(e))
      problems.push(`${describe(e)} goes from ${Math.round(box.left)} to ${Math.round(box.right)} px ` +
        `in a viewport of ${innerWidth}`);
  }
  return verdict(all.length + 1, problems);
}

// ---- texts of charts ----

// The corners of the box of a text in its own coordinates, mapped to the screen: exact also when it is turned.
function corners(text) {
  const b = text.getBBox(), m = text.getScreenCTM();
  const at = (x, y) => ({x: m.a * x + m.c * y + m.e, y: m.b * x + m.d * y + m.f});
  return [at(b.x, b.y), at(b.x + b.width, b.y), at(b.x + b.width, b.y + b.height), at(b.x, b.y + b.height)];
}

// Directions across the sides of a box, of length 1.
function axes(box) {
  return [[0, 1], [1, 2]].map(([i, j]) => {
    const dx = box[j].x - box[i].x, dy = box[j].y - box[i].y, length = Math.hypot(dx, dy) || 1;
    return {x: -dy / length, y: dx / length};
  });
}

// How far two boxes reach into each other in px: by how much one must be moved to part them; negative when apart.
function depth(a, b) {
  let least = Infinity;
  for (const axis of [...axes(a), ...axes(b)]) {
    const along = box => box.map(p => p.x * axis.x + p.y * axis.y);
    const ofA = along(a), ofB = along(b);
    least = Math.min(least, Math.max(...ofA) - Math.min(...ofB), Math.max(...ofB) - Math.min(...ofA));
    if (least <= TOLERANCE_PX)
      break;
  }
  return least;
}

// A text in lines, each a tspan, has a box per line.
function pieces(text) {
  const isBare = [...text.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const lines = isBare ? [] : [...text.children].filter(e => e.localName === 'tspan' && e.textContent.trim());
  return lines.length ? lines : [text];
}

function textsOf(svg) {
  const found = [];
  for (const text of svg.querySelectorAll('text')) {
    if (!text.textContent.trim() || !shown(text) || !text.getScreenCTM())
      continue;
    for (const piece of pieces(text))
      found.push({text, piece, box: corners(piece)});
  }
  return found;
}

function outermostSvgs() {
  openDetails();
  return [...document.querySelectorAll('svg')].filter(svg => !svg.parentElement.closest('svg') && shown(svg));
}

function overlaps() {
  const problems = [];
  let looked = 0;
  for (const svg of outermostSvgs()) {
    const texts = textsOf(svg);
    looked += texts.length;
    texts.forEach((a, i) => {
      for (const b of texts.slice(i + 1)) {
        const px = a.text === b.text ? 0 : depth(a.box, b.box);
        if (px > TOLERANCE_PX)
          problems.push(`${describe(a.piece)} and ${describe(b.piece)} overlap by ${px.toFixed(1)} px`);
      }
    });
  }
  return verdict(looked, problems);
}

// The box in which an svg draws: without border and padding.
function viewportOf(svg) {
  const box = svg.getBoundingClientRect(), style = getComputedStyle(svg);
  const inset = side => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
  return {left: box.left + inset('Left'), right: box.right - inset('Right'),
    top: box.top + inset('Top'), bottom: box.bottom - inset('Bottom')};
}

function leaving() {
  const problems = [];
  let looked = 0;
  for (const svg of outermostSvgs()) {
    const view = viewportOf(svg);
    for (const {piece, box} of textsOf(svg)) {
      const out = Math.max(...box.map(p =>
        Math.max(view.left - p.x, p.x - view.right, view.top - p.y, p.y - view.bottom)));
      looked++;
      if (out > TOLERANCE_PX)
        problems.push(`${describe(piece)} leaves the svg by ${out.toFixed(1)} px`);
    }
  }
  return verdict(looked, problems);
}

// ---- tables ----

function bodyRows(table) {
  const isHeader = row => !table.tHead && row === table.rows[0] && [...row.cells].every(cell => cell.localName === 'th');
  return [...table.tBodies].flatMap(body => [...body.rows]).filter(row => !isHeader(row));
}

// The lowest header of every column, without those that span several.
function headers(table) {
  const rows = table.tHead ? [...table.tHead.rows] : [...table.rows].slice(0, 1), grid = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y][x])
        x++;
      for (let dy = 0; dy < cell.rowSpan && y + dy < grid.length; dy++)
        for (let dx = 0; dx < cell.colSpan; dx++)
          grid[y + dy][x + dx] = cell;
      x += cell.colSpan;
    }
  });
  return (grid.at(-1) || []).map((cell, column) => ({cell, column})).filter(h => h.cell.colSpan === 1);
}

function cellAt(row, column) {
  let x = 0;
  for (const cell of row.cells) {
    if (x === column)
      return cell;
    x += cell.colSpan;
  }
  return null;
}

// A number, a text, or null for what is not known.
function valueOf(cell) {
  const text = short(cell ? cell.dataset.value ?? cell.textContent : '', Infinity);
  if (text === '' || /^[?–—-]$/.test(text))
    return null;
  const bare = text.replace(/ /g, '').replace(/\u2212/g, '-').replace(/%$/, '');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(bare) ? Number(bare) : text;
}

// Texts may come in any order that a reader takes for alphabetical, but in one of them.
const COLLATIONS = [
  (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  (a, b) => COLLATIONS[0](a.toLowerCase(), b.toLowerCase()),
  ...[{}, {numeric: true}, {sensitivity: 'base'}, {numeric: true, sensitivity: 'base'}].map(options => {
    const collator = new Intl.Collator(undefined, options);
    return (a, b) => collator.compare(a, b);
  }),
];

function orders(values) {
  if (values.every(value => value === null || typeof value === 'number'))
    return [(a, b) => a - b];
  const byText = COLLATIONS.map(order => (a, b) => order(String(a), String(b)));
  const numbersFirst = byText.map(order => (a, b) =>
    typeof a === typeof b ? (typeof a === 'number' ? a - b : order(a, b)) : (typeof a === 'number' ? -1 : 1));
  return [...byText, ...numbersFirst];
}

// What is not known comes last, whatever the direction (1 or -1).
function inOrder(values, direction) {
  const known = values.filter(value => value !== null);
  return values.slice(0, known.length).every(value => value !== null) &&
    orders(values).some(order => known.every((value, i) => i === 0 || direction * order(known[i - 1], value) <= 0));
}

function isCovered(control) {
  control.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
  const box = control.getBoundingClientRect();
  return !control.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}

const controlOf = cell => cell.querySelector('button') || cell;
const nameOf = (table, cell) => `column "${short(cell.textContent)}" of table#${table.id}`;
const content = table => bodyRows(table).map(row => row.textContent).sort().join('\n');

// The faults of one column: clicked twice, it is ascending and then descending. A column that says that it is ascending
// already may turn round at the first click.
async function sortColumn(table, {cell, column}) {
  const before = content(table), problems = [], name = nameOf(table, cell);
  const directions = cell.getAttribute('aria-sort') === 'ascending' ? [-1, 1] : [1, -1];
  const values = () => bodyRows(table).map(row => valueOf(cellAt(row, column)));
  for (const direction of directions) {
    controlOf(cell).click();
    if (!await until(() => inOrder(values(), direction)))
      problems.push(`${name} is not ${direction > 0 ? 'ascending' : 'descending'} after a click: ` +
        short(values().map(value => value ?? '?').join(', '), 80));
  }
  if (content(table) !== before)
    problems.push(`${name}: sorting changed the rows themselves`);
  return problems;
}

async function sorting() {
  const ENOUGH = 6, problems = []; // every fault takes the time that a page is given to react
  let looked = 0;
  openDetails();
  for (const table of document.querySelectorAll('table.sortable')) {
    if (!headers(table).length)
      problems.push(`${describe(table)} has no headers to click`);
    for (const {cell} of headers(table)) // before any is sorted: then the page is laid out only once for it
      if (!shown(controlOf(cell)) || isCovered(controlOf(cell)))
        problems.push(`${nameOf(table, cell)} cannot be clicked: its header is hidden or covered`);
    for (const header of headers(table)) {
      if (problems.length < ENOUGH)
        problems.push(...await sortColumn(table, header));
      looked++;
    }
  }
  return verdict(looked, problems);
}

const isRowShown = row => shown(row) && row.getBoundingClientRect().height > 0;

// Which rows contain a text; null when it is a matter of opinion: of case, or of where one cell ends.
function rowsWith(rows, text) {
  const views = [row => row.textContent, row => row.textContent.toLowerCase(),
    row => [...row.cells].map(cell => cell.innerText).join(' ').toLowerCase()];
  const found = views.map((view, i) => rows.map(row => view(row).includes(i ? text.toLowerCase() : text)));
  return found.every(list => String(list) === String(found[0])) ? found[0] : null;
}

// A word that some rows have and some have not, with those that have it.
function telling(rows) {
  const words = new Set(rows.flatMap(row => [...row.cells].flatMap(cell => cell.innerText.match(/[^\s"']{2,}/g) || [])));
  for (const word of words) {
    const wanted = rowsWith(rows, word);
    if (wanted && wanted.includes(true) && wanted.includes(false))
      return {word, wanted};
  }
  return null;
}

function type(input, text) {
  input.value = text;
  input.dispatchEvent(new InputEvent('input', {bubbles: true}));
}

// Thousands may be parted by something.
function tellsCount(element, count) {
  const text = element.textContent.replace(/(\d)[\s,.'’\u202f](?=\d{3}(?!\d))/g, '$1');
  return (text.match(/\d+/g) || []).map(Number).includes(count);
}

function filterCount(input) {
  for (let e = input.parentElement; e; e = e.parentElement)
    if (e.querySelector('.filter-count'))
      return e.querySelector('.filter-count');
  return null;
}

async function tryFilter(input, rows, counter, word, wanted) {
  const problems = [], number = list => list.filter(Boolean).length;
  type(input, word);
  await until(() => rows.every((row, i) => isRowShown(row) === wanted[i]) && tellsCount(counter, number(wanted)));
  const wrong = (want, i) => isRowShown(rows[i]) !== want;
  const kept = number(wanted.map((want, i) => !want && wrong(want, i)));
  const lost = number(wanted.map((want, i) => want && wrong(want, i)));
  if (kept)
    problems.push(`${describe(input)}: "${word}" leaves ${kept} rows that do not contain it`);
  if (lost)
    problems.push(`${describe(input)}: "${word}" hides ${lost} rows that contain it`);
  if (!tellsCount(counter, number(wanted)))
    problems.push(`${describe(input)}: "${word}" leaves ${number(wanted)} rows, ${describe(counter)} says otherwise`);
  return problems;
}

async function filterOne(input) {
  const table = document.getElementById(input.dataset.table), counter = filterCount(input);
  const section = input.closest('section, article, main, body');
  if (!table || table.localName !== 'table')
    return [`${describe(input)} names no table: data-table="${input.dataset.table ?? ''}"`];
  if (!section.contains(table))
    return [`${describe(input)} is not in the ${section.localName} of its table`];
  if (!counter)
    return [`${describe(input)} has no .filter-count beside it`];
  const rows = bodyRows(table), some = telling(rows), problems = [];
  type(input, '');
  await until(() => rows.every(isRowShown));
  if (some)
    problems.push(...await tryFilter(input, rows, counter, some.word, some.wanted));
  problems.push(...await tryFilter(input, rows, counter, '\u2603 nowhere', rows.map(() => false)));
  type(input, '');
  if (!await until(() => rows.every(isRowShown)))
    problems.push(`${describe(input)}: cleared, it still hides ${rows.filter(row => !isRowShown(row)).length} rows`);
  return problems;
}

async function filtering() {
  const problems = [], all = [...document.querySelectorAll('input.filter')];
  openDetails();
  for (const input of all)
    problems.push(...await filterOne(input));
  return verdict(all.length, problems);
}

// ---- without script ----

// Nothing here may wait: promises do not come true.
function scriptless() {
  const problems = [];
  openDetails();
  const rows = [...document.querySelectorAll('table')].flatMap(bodyRows);
  for (const row of rows)
    if (!isRowShown(row))
      problems.push(`${describe(row)} is not visible`);
  const controls = [...document.querySelectorAll('input.filter, table.sortable th button')];
  for (const control of controls)
    if (shown(control) && !control.matches(':disabled') && !control.closest('[inert]'))
      problems.push(`${describe(control)} looks as if it worked`);
  return verdict(rows.length + controls.length, problems);
}

// ---- contrast ----

const LEAST_RATIO = 4.5; // WCAG 2, level AA, text of usual size
const SAMPLE = 'h1, h2, h3, p, li, th, td, figcaption, summary, svg text';
const FILLED = 'path, rect, circle, ellipse, line, polyline, polygon';

let brush = null;
const colours = new Map();

// Any CSS colour as {r, g, b, a}, by painting with it.
function colour(css) {
  if (!colours.has(css)) {
    brush ??= Object.assign(document.createElement('canvas'), {width: 1, height: 1})
      .getContext('2d', {willReadFrequently: true});
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = '#000';
    brush.fillStyle = css;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    colours.set(css, {r, g, b, a: a / 255});
  }
  return colours.get(css);
}

function over(top, under, opacity = 1) {
  const a = top.a * opacity, mix = (t, u) => t * a + u * (1 - a);
  return {r: mix(top.r, under.r), g: mix(top.g, under.g), b: mix(top.b, under.b), a: 1};
}

function luminance({r, g, b}) {
  const [x, y, z] = [r, g, b].map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

function ratio(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

// What is behind a page that has no background: kept, since to ask for it is to lay the page out anew.
let canvas = null;

function canvasColour() {
  if (!canvas) {
    const probe = document.documentElement.appendChild(document.createElement('i'));
    probe.style.cssText = 'position: absolute; background: Canvas';
    canvas = {...colour(getComputedStyle(probe).backgroundColor), a: 1};
    probe.remove();
  }
  return canvas;
}

// f(element), where f needs what it gave for the parent: asked once for each element.
function remembered(f) {
  const known = new Map();
  return element => {
    if (!known.has(element))
      known.set(element, f(element));
    return known.get(element);
  };
}

const opacityOf = remembered(e =>
  (e.parentElement ? opacityOf(e.parentElement) : 1) * Number(getComputedStyle(e).opacity));

// The colours that may be behind an element: several where a gradient is, which need not reach everywhere.
const backdrops = remembered(element => {
  const style = getComputedStyle(element), base = colour(style.backgroundColor);
  const below = base.a === 1 ? [base] :
    (element.parentElement ? backdrops(element.parentElement) : [canvasColour()]).map(under => over(base, under));
  if (!style.backgroundImage.includes('gradient'))
    return below;
  const gradient = (style.backgroundImage.match(/[a-z]+\([^()]*\)/g) || [])
    .filter(text => CSS.supports('color', text)).map(colour);
  return below.flatMap(under => [under, ...gradient.map(top => over(top, under))]);
});

// Whether a shape covers a point of the screen, and with which colour: {colour, opacity} or null.
function coverAt(shape, point) {
  const m = shape.getScreenCTM(), style = getComputedStyle(shape), WIDE_PX = 4; // thinner is a line behind the text
  const at = m && point.matrixTransform(m.inverse());
  const isPlain = paint => paint !== 'none' && !paint.startsWith('url');
  if (m && isPlain(style.stroke) && parseFloat(style.strokeWidth) >= WIDE_PX && shape.isPointInStroke(at))
    return {colour: colour(style.stroke), opacity: Number(style.strokeOpacity)};
  if (m && isPlain(style.fill) && shape.isPointInFill(at))
    return {colour: colour(style.fill), opacity: Number(style.fillOpacity)};
  return null;
}

// Colours behind a text of a chart: of the page, and of the shapes that are drawn before it, at three points of it.
function backdropsInSvg(text, svg, shapes) {
  const box = corners(text), under = backdrops(svg);
  return [0.1, 0.5, 0.9].flatMap(part => {
    const x = (box[0].x + box[3].x) / 2 * (1 - part) + (box[1].x + box[2].x) / 2 * part;
    const y = (box[0].y + box[3].y) / 2 * (1 - part) + (box[1].y + box[2].y) / 2 * part;
    const point = new DOMPoint(x, y);
    return shapes.filter(({box: b}) => x >= b.left - 4 && x <= b.right + 4 && y >= b.top - 4 && y <= b.bottom + 4)
      .filter(({shape}) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)
      .map(({shape}) => ({shape, cover: coverAt(shape, point)})).filter(({cover}) => cover)
      .reduce((below, {shape, cover}) =>
        below.map(u => over(cover.colour, u, cover.opacity * opacityOf(shape))), under);
  });
}

// A rim around the letters, in the colour of what is behind them, is what they are read against.
function rim(style) {
  return /^stroke/.test(style.paintOrder) && style.stroke !== 'none' && parseFloat(style.strokeWidth) >= 2 ?
    [colour(style.stroke)] : null;
}

function textParts(element) {
  const parts = new Set(), walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (walker.currentNode.data.trim() && shown(walker.currentNode.parentElement))
      parts.add(walker.currentNode.parentElement);
  return parts;
}

function shapesOf(svg, known) {
  if (!known.has(svg))
    known.set(svg, [...svg.querySelectorAll(FILLED)].filter(shown)
      .map(shape => ({shape, box: shape.getBoundingClientRect()})));
  return known.get(svg);
}

// The least ratio between a text and what may be behind it, with both colours.
function worst(part, known) {
  const text = part.closest('text'), style = getComputedStyle(part);
  let svg = text && text.ownerSVGElement;
  while (svg && svg.ownerSVGElement)
    svg = svg.ownerSVGElement;
  const ink = colour(text ? style.fill : style.color), opacity = opacityOf(part) * (text ? Number(style.fillOpacity) : 1);
  const behind = text ? rim(style) || backdropsInSvg(part, svg, shapesOf(svg, known)) : backdrops(part);
  const pairs = behind.map(under => ({under, front: over(ink, under, opacity)}))
    .map(({under, front}) => ({ratio: ratio(front, under), under, front}));
  return pairs.reduce((least, pair) => (pair.ratio < least.ratio ? pair : least));
}

// A colour that changes gradually is looked at where it ends; what never ends is taken away.
function finishAnimations() {
  for (const animation of document.getAnimations())
    try {
      animation.finish();
    } catch {
      animation.cancel();
    }
}

function contrast() {
  const MOST_PARTS = 4000, problems = new Map(), known = new Map();
  const hex = ({r, g, b}) => '#' + [r, g, b].map(v => Math.round(v).toString(16).padStart(2, '0')).join('');
  openDetails();
  finishAnimations();
  const parts = new Set([...document.querySelectorAll(SAMPLE)].flatMap(e => [...textParts(e)]));
  const looked = [...parts].slice(0, MOST_PARTS);
  for (const part of looked) {
    const pair = worst(part, known);
    const which = `${hex(pair.front)} on ${hex(pair.under)}`;
    if (pair.ratio < LEAST_RATIO && !problems.has(part.localName + which)) // one line for each pair of colours
      problems.set(part.localName + which, `${describe(part)} has a contrast of ${pair.ratio.toFixed(2)}: ${which}`);
  }
  return verdict(looked.length, [...problems.values()]);
}
