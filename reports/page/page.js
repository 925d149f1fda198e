'use strict';
/* Sorts and filters tables, and marks a layer in its table and in charts; page_charts.js and page_graph.js are the end of the same script. Without
 * it tables are tables, and marks of charts are links to their rows. */
document.documentElement.className = 'js';

const collator = new Intl.Collator('en', {numeric: true}), CHUNK = 200;

/* --- rows: the first are shown, and the others wait in a second body, which is not laid out; of a long table it is text until it
 * is needed, which browsers without script read as a table of its own --- */

function bodiesOf(table) {
  const text = table.parentNode.querySelector('noscript'), page = document.createElement('template');
  if (text) {
    page.innerHTML = text.textContent;
    table.tBodies[0].after(page.content.querySelector('tbody'));
    text.remove();
  }
  return table.tBodies;
}

const rowsOf = table => [].concat(...Array.from(bodiesOf(table), body => Array.from(body.rows)));

/* The row of an id such as layers-1-20, also where it waits. */
function rowOf(id) {
  const table = document.getElementById(id.replace(/-\d+$/, ''));
  if (!document.getElementById(id) && table && table.localName === 'table')
    bodiesOf(table);
  const row = document.getElementById(id);
  return row && row.localName === 'tr' ? row : null;
}

const rowOfLink = link => link && link.hasAttribute('href') && rowOf(link.getAttribute('href').slice(1));

function place(table, rows, most) {
  const bodies = Array.from(table.tBodies, () => document.createDocumentFragment());
  let shown = 0;
  for (const row of rows) {
    bodies[bodies.length > 1 && shown >= most ? 1 : 0].appendChild(row);
    shown += !row.hidden;
  }
  bodies.forEach((rows_, i) => table.tBodies[i].appendChild(rows_));
}

function showMore(table) {
  const [first, later] = bodiesOf(table);
  for (let i = 0; i < CHUNK && later.rows.length; i += !first.rows[first.rows.length - 1].hidden)
    first.appendChild(later.rows[0]);
}

function reveal(row) {
  const table = row.closest('table'), rows = rowsOf(table);
  if (row.parentNode.className === 'later')
    place(table, rows, rows.indexOf(row) + CHUNK);
}

function makeLater(box) {
  box.addEventListener('scroll', () => {
    if (box.querySelector('noscript, .later > tr') && box.scrollTop + 2 * box.clientHeight > box.scrollHeight)
      showMore(box.querySelector('table'));
  });
}

/* --- sorting and filtering --- */

/* A number or a text; null for what is not known. */
function keyOf(cell, numeric) {
  const text = cell.textContent.trim(), value = cell.hasAttribute('data-value') ? cell.getAttribute('data-value') : text;
  if (numeric)
    return value === '' || isNaN(Number(value)) ? null : Number(value);
  return text === '?' || text === '-' ? null : text || null;
}

/* What is not known is last, whichever way; rows that are equal stay in their order. */
function sort(table, column, numeric, down) {
  const keyed = rowsOf(table).map((row, at) => ({row, key: keyOf(row.cells[column], numeric), at}));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null)
      return (a.key === null) - (b.key === null) || a.at - b.at;
    const order = numeric ? a.key - b.key : collator.compare(a.key, b.key);
    return (down ? -order : order) || a.at - b.at;
  });
  place(table, keyed.map(k => k.row), CHUNK);
}

function makeSortable(table) {
  Array.from(table.tHead.rows[0].cells, (head, column) => {
    const button = document.createElement('button');
    button.type = 'button'; /* over the words, not around them: paper has no buttons */
    button.setAttribute('aria-label', 'sort by ' + head.textContent.trim());
    head.appendChild(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      table.querySelectorAll('th[aria-sort]').forEach(th => th.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      sort(table, column, head.classList.contains('num'), down);
    });
  });
}

/* Rows that hold all words of the box stay. */
function makeFilter(input) {
  const table = document.getElementById(input.getAttribute('data-table')), texts = new Map();
  const count = input.parentNode.querySelector('.filter-count');
  let timer = 0;
  function filter() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean), rows = rowsOf(table);
    for (const row of rows) {
      if (!texts.has(row))
        texts.set(row, Array.from(row.cells, c => c.textContent).join('\n').toLowerCase());
      row.hidden = !words.every(word => texts.get(row).indexOf(word) >= 0);
    }
    if (table.tBodies.length > 1)
      place(table, rows, CHUNK);
    count.textContent = words.length ? rows.filter(row => !row.hidden).length + ' of ' + rows.length + ' rows' : '';
  }
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(filter, table.rows.length > 1000 ? 120 : 0);
  });
}


/* --- marks: a layer's row, and its places in charts --- */

const spotsOf = row => Array.from(document.querySelectorAll('.spots a[href="#' + row.id + '"]'));
const shape = link => link.lastElementChild;
const isSeen = element => element.getClientRects().length > 0;

function mark(row) {
  document.querySelectorAll('.marked').forEach(e => e.classList.remove('marked'));
  spotsOf(row).concat(row).forEach(e => e.classList.add('marked'));
  markNode(row);
}

function goToRow(row) {
  row.hidden = false;
  reveal(row);
  mark(row);
  row.tabIndex = -1;
  row.focus({preventScroll: true});
  row.scrollIntoView({block: 'center'});
}

function goToSpot(row) {
  const link = spotsOf(row).find(isSeen);
  if (link) {
    link.focus({preventScroll: true});
    link.closest('figure').scrollIntoView({block: 'nearest'});
  }
}

const hasSpots = row => row && row.id && spotsOf(row).length > 0;

/* A click marks the row's discs; a second one, or Enter, goes there. */
function makeRows(table) {
  table.addEventListener('click', event => {
    const row = event.target.closest('tbody tr');
    if (!(hasSpots(row) || nodeOf(row)) || String(getSelection()) || event.target.closest('a'))
      return;
    if (row.classList.contains('marked') && hasSpots(row))
      goToSpot(row);
    else
      mark(row);
  });
  table.parentNode.addEventListener('keydown', event => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    const row = document.activeElement.closest('tbody tr');
    if (event.key === 'Enter' && row && hasSpots(row) && event.target === row)
      goToSpot(row);
    else if (event.key === 'g' && nodeOf(row))
      goToNode(nodeOf(row));
    else if (step && (row || event.target === table.parentNode)) {
      const rows = rowsOf(table).filter(r => !r.hidden), next = row ? rows[rows.indexOf(row) + step] : rows[0];
      if (next)
        goToRow(next);
      event.preventDefault();
    }
  });
}

function followHash() {
  const row = rowOf(decodeURIComponent(location.hash.slice(1)));
  if (row)
    goToRow(row);
}

/* --- the page --- */

/* Paper shows what is folded away on a screen, and all rows. */
window.addEventListener('beforeprint', () => {
  document.querySelectorAll('table.sortable').forEach(bodiesOf);
  document.querySelectorAll('details:not([open])').forEach(d => {
    d.open = true;
    d.setAttribute('data-printed', '');
  });
});
window.addEventListener('afterprint', () => document.querySelectorAll('details[data-printed]').forEach(d => {
  d.open = false;
  d.removeAttribute('data-printed');
}));

document.addEventListener('DOMContentLoaded', () => {
  document.body.appendChild(tip);
  document.querySelectorAll('table.sortable').forEach(makeSortable);
  document.querySelectorAll('.tall').forEach(makeLater);
  document.querySelectorAll('input.filter').forEach(makeFilter);
  document.querySelectorAll('table[id^="layers-"]').forEach(makeRows);
  document.querySelectorAll('svg.spots').forEach(makeSpots);
  document.querySelectorAll('figure').forEach(makeChart);
  document.documentElement.classList.add('ready');
  window.addEventListener('hashchange', followHash);
  window.addEventListener('scroll', keepTip, {passive: true});
  followHash();
});
