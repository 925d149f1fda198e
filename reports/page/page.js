'use strict';
/* Sorts and filters tables. Without it they are tables. */
document.documentElement.className = 'js';
document.addEventListener('DOMContentLoaded', function () {
  var collator = new Intl.Collator('en', {numeric: true});

  function rowsOf(table) {
    return Array.prototype.slice.call(table.tBodies[0].rows);
  }

  /* A number, or null for what is not known. */
  function numberOf(cell) {
    var text = cell.hasAttribute('data-value') ? cell.getAttribute('data-value') : cell.textContent.trim();
    var value = text === '' ? NaN : Number(text);
    return isNaN(value) ? null : value;
  }

  function keyOf(cell, numeric) {
    var text = cell.textContent.trim();
    return numeric ? numberOf(cell) : text === '?' || text === '-' ? null : text || null;
  }

  /* What is not known is last, whichever way; rows that are equal stay in their order. */
  function sort(table, column, numeric, down) {
    var keyed = rowsOf(table).map(function (row, place) {
      return {row: row, key: keyOf(row.cells[column], numeric), place: place};
    });
    keyed.sort(function (a, b) {
      if (a.key === null || b.key === null)
        return (a.key === null) - (b.key === null) || a.place - b.place;
      var order = numeric ? a.key - b.key : collator.compare(a.key, b.key);
      return (down ? -order : order) || a.place - b.place;
    });
    var all = document.createDocumentFragment();
    keyed.forEach(function (k) { all.appendChild(k.row); });
    table.tBodies[0].appendChild(all);
  }

  function makeSortable(table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var numeric = head.classList.contains('num'), button = document.createElement('button');
      button.type = 'button'; /* over the words, not around them: paper has no buttons */
      button.setAttribute('aria-label', 'sort by ' + head.textContent.trim());
      head.appendChild(button);
      button.addEventListener('click', function () {
        var down = head.getAttribute('aria-sort') === 'ascending';
        table.querySelectorAll('th[aria-sort]').forEach(function (th) { th.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        sort(table, column, numeric, down);
      });
    });
  }

  /* Rows that hold all words of the box stay. */
  function makeFilter(input) {
    var table = document.getElementById(input.getAttribute('data-table'));
    var count = input.parentNode.querySelector('.filter-count');
    var texts = new Map(), timer = 0;
    function filter() {
      var words = input.value.toLowerCase().split(/\s+/).filter(Boolean), shown = 0, all = 0;
      rowsOf(table).forEach(function (row) {
        if (!texts.has(row))
          texts.set(row, Array.prototype.map.call(row.cells, function (c) { return c.textContent; })
            .join('\n').toLowerCase());
        var text = texts.get(row), hit = words.every(function (word) { return text.indexOf(word) >= 0; });
        row.hidden = !hit;
        shown += hit;
        all++;
      });
      count.textContent = words.length ? shown + ' of ' + all + ' rows' : '';
    }
    input.addEventListener('input', function () {
      clearTimeout(timer);
      timer = setTimeout(filter, table.rows.length > 1000 ? 120 : 0);
    });
  }

  document.querySelectorAll('table.sortable').forEach(makeSortable);
  document.querySelectorAll('input.filter').forEach(makeFilter);

  /* Paper shows what is folded away on a screen. */
  window.addEventListener('beforeprint', function () {
    document.querySelectorAll('details:not([open])').forEach(function (d) {
      d.open = true;
      d.setAttribute('data-printed', '');
    });
  });
  window.addEventListener('afterprint', function () {
    document.querySelectorAll('details[data-printed]').forEach(function (d) {
      d.open = false;
      d.removeAttribute('data-printed');
    });
  });
});
