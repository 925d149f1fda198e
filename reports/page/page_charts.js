/* Charts: tooltips, keys, what is shown, and how large. Behind page.js in the same script. */

/* --- tooltips --- */

const tip = document.createElement('div');
tip.className = 'tip';
tip.id = 'tip';
tip.setAttribute('aria-hidden', 'true'); /* each link has the same words as its name */
tip.hidden = true;

function showTip(link) {
  const box = shape(link).getBoundingClientRect();
  tip.textContent = link.getAttribute('aria-label').split('; ').join('\n');
  tip.hidden = false;
  const left = Math.min(box.right + 10, document.documentElement.clientWidth - tip.offsetWidth - 8);
  const above = box.top - tip.offsetHeight - 8, isBar = shape(link).localName === 'rect';
  tip.style.left = Math.max(8, isBar ? Math.min(left, box.left + 8) : left) + 'px';
  tip.style.top = Math.max(8, above > 48 ? above : box.bottom + 8) + 'px';
}

const hideTip = () => { tip.hidden = true; };

/* While the page scrolls it stays with the mark that has the focus. */
function keepTip() {
  const link = document.activeElement.closest('.spots a');
  if (link && !tip.hidden)
    showTip(link);
  else
    hideTip();
}

/* --- charts: one stop of the Tab key each, arrow keys within --- */

const middle = link => {
  const box = shape(link).getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
};

/* The nearest one in a direction, where what is askew counts twice. */
function neighbour(links, from, dx, dy) {
  const at = middle(from);
  let best = null, least = Infinity;
  for (const link of links) {
    const to = middle(link), ahead = (to.x - at.x) * dx + (to.y - at.y) * dy;
    const askew = Math.abs((to.x - at.x) * dy - (to.y - at.y) * dx);
    if (link !== from && ahead > 0.01 && ahead + 2 * askew < least) {
      least = ahead + 2 * askew;
      best = link;
    }
  }
  return best;
}

const DIRECTIONS = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function makeSpots(svg) {
  const links = Array.from(svg.querySelectorAll('a')), pane = svg.parentNode; /* an svg that listens to the focus would get it */
  const linkOf = event => event.target.closest('.spots a');
  links.forEach((link, i) => {
    const title = link.querySelector('title');
    link.setAttribute('aria-label', title.textContent);
    link.setAttribute('tabindex', i ? -1 : 0);
    title.remove(); /* else there were two tooltips */
  });
  svg.addEventListener('pointerover', event => linkOf(event) && showTip(linkOf(event)));
  svg.addEventListener('pointerout', hideTip);
  pane.addEventListener('focusout', hideTip);
  pane.addEventListener('focusin', event => {
    links.forEach(link => link.setAttribute('tabindex', link === linkOf(event) ? 0 : -1));
    showTip(linkOf(event));
  });
  svg.addEventListener('click', event => {
    const row = rowOfLink(linkOf(event));
    if (!row)
      return;
    event.preventDefault();
    hideTip();
    goToRow(row);
  });
  svg.addEventListener('keydown', event => {
    const way = DIRECTIONS[event.key], link = linkOf(event);
    const next = way && link && neighbour(links.filter(isSeen), link, way[0], way[1]);
    if (event.key === 'Escape')
      hideTip();
    const row = rowOfLink(link);
    if (event.key === 'g' && nodeOf(row))
      goToNode(nodeOf(row));
    if (way)
      event.preventDefault();
    if (next)
      next.focus({preventScroll: true});
  });
}

/* --- charts of discs: what is shown, and how large --- */

/* The places of a chart's blocks among the plots of its script, reports/charts/NAME.gp. */
const PLOTS = {
  roofline: {ceilings: 6, discs: 8, hollow: 9, arrows: 10, rings: 11},
  parity: {discs: 6, hollow: 7, arrows: 9, rings: 10},
};
const BOUNDS = {'b-array': 'MAC array', 'b-side': 'side engine', 'b-memory': 'memory', 'b-other': 'bound not known'};
const MOST_ZOOM = 32;

/* A picture with what lies over it: discs of gnuplot are in the order of the links. */
function paneOf(svg, plots) {
  const picture = svg.parentNode.firstElementChild, links = Array.from(svg.querySelectorAll('a'));
  const plot = (n, of) => Array.from(picture.querySelectorAll('[id$="gnuplot_plot_' + n + 'a"] ' + of));
  const filled = plot(plots.discs, 'use'), hollow = plot(plots.hollow, 'use'), rings = plot(plots.rings, 'use');
  const strokes = plot(plots.arrows, ':is(polygon, path)');
  const led = links.filter(link => link.querySelector('path'));
  const own = new Map(links.map(link =>
    [link, [(link.classList.contains('estimated') ? hollow : filled).shift()].filter(Boolean)]));
  const each = strokes.length / rings.length;
  rings.forEach((ring, i) => led[i] && own.get(led[i]).push(ring, ...strokes.slice(i * each, (i + 1) * each)));
  return {svg, picture, links, own, arrows: strokes.concat(rings), wide: svg.viewBox.baseVal.width,
    lines: plots.ceilings ? plot(plots.ceilings, 'path').concat(labels(picture)) : [],
    high: svg.viewBox.baseVal.height,
    scaled: Array.from(picture.querySelectorAll('use, g[transform]')).concat(links.map(shape))
      .map(e => ({e, transform: e.getAttribute('transform') || '', r: e.getAttribute('r')}))};
}

/* "alu 123 GOP/s", along a ceiling or at its end; small letters in the middle or at the right. */
function labels(picture) {
  return Array.from(picture.querySelectorAll('[id$="gnuplot_plot_12b"] text, [id$="gnuplot_plot_13b"] text'))
    .filter(text => / \S*(OP|B)\/s$/.test(text.textContent.trim()));
}

/* chart: {figure, panes, off: tokens of what is not shown, view: zoom and the middle as parts of the canvas} */
const paneInUse = chart => chart.panes.find(pane => isSeen(pane.svg)) || chart.panes[0];

/* Letters keep their size, and discs grow less than what is between them, so that they part. */
function applyView(pane, view) {
  const side = 1 / view.zoom, k = Math.sqrt(side);
  view.x = Math.min(1 - side / 2, Math.max(side / 2, view.x));
  view.y = Math.min(1 - side / 2, Math.max(side / 2, view.y));
  const box = [(view.x - side / 2) * pane.wide, (view.y - side / 2) * pane.high, pane.wide * side, pane.high * side];
  [pane.svg, pane.picture].forEach(svg => svg.setAttribute('viewBox', box.join(' ')));
  for (const {e, transform, r} of pane.scaled)
    if (r)
      e.setAttribute('r', r * k);
    else
      e.setAttribute('transform', transform + ' scale(' + (e.localName === 'g' ? side : k) + ')');
}

function apply(chart) {
  const off = chart.off;
  for (const pane of chart.panes) {
    applyView(pane, chart.view);
    for (const [link, drawn] of pane.own) {
      const isOff = off.has(link.classList[0]) || off.has('kind ' + link.dataset.kind);
      link.classList.toggle('off', isOff);
      drawn.forEach(e => e.classList.toggle('dim', isOff));
    }
    pane.lines.forEach(e => e.classList.toggle('gone', off.has('lines')));
    pane.arrows.forEach(e => e.classList.toggle('gone', off.has('arrows')));
  }
  chart.figure.classList.toggle('zoomed', chart.view.zoom > 1);
  hideTip();
}

/* Towards the disc that has the focus or is marked, else the one with the most others near it. */
function centre(chart) {
  const {links, wide, high} = paneInUse(chart);
  const places = links.map(l => [+shape(l).getAttribute('cx'), +shape(l).getAttribute('cy')]);
  const near = a => places.filter(b => Math.hypot(a[0] - b[0], a[1] - b[1]) < wide / 16).length;
  let best = links.indexOf(document.activeElement.closest('a'));
  if (best < 0)
    best = links.findIndex(l => l.classList.contains('marked'));
  if (best < 0) {
    const counts = places.map(near);
    best = counts.indexOf(Math.max(...counts));
  }
  chart.view.x = places[best][0] / wide;
  chart.view.y = places[best][1] / high;
}

function zoom(chart, factor) {
  if (chart.view.zoom === 1 || document.activeElement.closest('.spots'))
    centre(chart);
  chart.view.zoom = factor ? Math.min(MOST_ZOOM, Math.max(1, chart.view.zoom * factor)) : 1;
  apply(chart);
}

/* By the pointer, once it is larger than its place; a click on a disc stays a click. */
function drag(chart, event) {
  const box = event.currentTarget.getBoundingClientRect(), view = chart.view;
  if (view.zoom === 1 || !event.buttons)
    return;
  view.x -= event.movementX / box.width / view.zoom;
  view.y -= event.movementY / box.height / view.zoom;
  apply(chart);
}

function addButton(home, words, label, act) {
  const button = home.appendChild(document.createElement('button'));
  button.type = 'button';
  button.textContent = words;
  button.setAttribute('aria-label', label);
  button.addEventListener('click', act);
  return button;
}

function addToggle(chart, home, words, token) {
  const button = addButton(home, words, 'show ' + words, () => {
    if (!chart.off.delete(token))
      chart.off.add(token);
    button.setAttribute('aria-pressed', !chart.off.has(token));
    apply(chart);
  });
  button.setAttribute('aria-pressed', 'true');
  button.className = BOUNDS[token] ? token : '';
}

function addTools(chart) {
  const {links, lines, arrows} = chart.panes[0], tools = document.createElement('div');
  const bounds = new Set(links.map(l => l.classList[0])), kinds = new Set(links.map(l => l.dataset.kind));
  tools.className = 'tools chart-tools';
  tools.setAttribute('role', 'group');
  tools.setAttribute('aria-label', 'What the chart shows');
  addButton(tools, '+', 'larger', () => zoom(chart, 2));
  addButton(tools, '\u2212', 'smaller', () => zoom(chart, 0.5));
  addButton(tools, 'whole', 'the whole chart', () => zoom(chart, 0));
  if (lines.length)
    addToggle(chart, tools, 'ceilings', 'lines');
  if (arrows.length)
    addToggle(chart, tools, 'arrows', 'arrows');
  if (bounds.size > 1)
    Object.keys(BOUNDS).filter(b => bounds.has(b)).forEach(b => addToggle(chart, tools, BOUNDS[b], b));
  if (kinds.size > 1) {
    const more = tools.appendChild(document.createElement('details'));
    more.appendChild(document.createElement('summary')).textContent = 'kinds';
    Array.from(kinds).sort(collator.compare)
      .forEach(kind => addToggle(chart, more, kind || 'not known', 'kind ' + kind));
  }
  chart.figure.insertBefore(tools, chart.figure.querySelector('figcaption'));
}

/* What the keys go to comes into view. */
function follow(chart, pane, link) {
  const box = pane.svg.viewBox.baseVal;
  const x = shape(link).getAttribute('cx') - box.x, y = shape(link).getAttribute('cy') - box.y;
  if (x >= 0 && y >= 0 && x <= box.width && y <= box.height)
    return;
  centre(chart);
  apply(chart);
  showTip(link);
}

function makeChart(figure) {
  const plots = PLOTS[figure.id.split('-')[1]];
  if (!plots || !figure.querySelector('svg.spots'))
    return;
  const panes = Array.from(figure.querySelectorAll('svg.spots'), svg => paneOf(svg, plots));
  const chart = {figure, panes, off: new Set(), view: {zoom: 1, x: 0.5, y: 0.5}};
  addTools(chart);
  panes.forEach(pane => {
    pane.svg.addEventListener('pointermove', event => drag(chart, event));
    pane.svg.parentNode.addEventListener('focusin', event => follow(chart, pane, event.target.closest('a')));
  });
  figure.addEventListener('keydown', event => {
    const factor = {'+': 2, '=': 2, '-': 0.5, '0': 0}[event.key];
    if (factor !== undefined && !event.ctrlKey && !event.metaKey)
      zoom(chart, factor);
  });
}
