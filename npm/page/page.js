// The page: files and choices in, the answers of the module out. It asks the worker, and nobody else.
'use strict'

const $ = (id) => document.getElementById(id)
const element = (name, attributes = {}, ...children) => {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value)
    else if (value !== false && value != null) node.setAttribute(key, value)
  node.append(...children.filter((c) => c != null))
  return node
}

// ---- the module, in a worker ----

const worker = new Worker(URL.createObjectURL(new Blob([$('worker').textContent], { type: 'text/javascript' })))
const waiting = new Map()
let requests = 0
const trapped = 'this model needs more memory than a page has; the command has no such limit'

worker.onmessage = ({ data }) => {
  if (data.broken) fail(data.broken)
  if (data.ready) begin()
  const done = waiting.get(data.id)
  waiting.delete(data.id)
  if (!done) return
  done(data.trap ? { exitCode: 70, stdout: '', stderr: `roofline: ${trapped} (${data.trap})\n`, files: [] } : data)
}
worker.onerror = (event) => fail(event.message)
worker.postMessage({ module: $('module').textContent })
const drawer = $('gnuplot').textContent.trim() // none where gnuplot was not built
if (drawer) worker.postMessage({ gnuplot: drawer })

function ask(args, { files = state.files, wanted = null, columns = 120 } = {}) {
  const id = ++requests
  return new Promise((done) => {
    waiting.set(id, done)
    worker.postMessage({ id, args, wanted, env: { COLUMNS: String(columns) }, files: [...files] })
  })
}

// ---- what was chosen ----

const state = { files: new Map(), kinds: new Map(), boards: [], all: [], view: 'layers', example: null, structure: [], last: null, asked: '' }
const options = () => [...document.querySelectorAll('[data-option]')].filter((o) => o.value.trim() && o.offsetParent)

function remembered() {
  try {
    return (localStorage.getItem('boards') ?? '').split(',').filter(Boolean)
  } catch {
    return []
  }
}

function remember() {
  try {
    localStorage.setItem('boards', state.boards.join(','))
  } catch {
    // a page from disk may have none
  }
  history.replaceState(null, '', linkWith(state.structure))
}

function linkWith(structure) {
  const link = new URLSearchParams()
  if (state.example) link.set('example', state.example)
  if (state.boards.length) link.set('hw', state.boards.join(','))
  for (const option of options()) link.set(option.dataset.option, option.value.trim())
  if (state.view !== 'layers') link.set('view', state.view)
  for (const [name, packed] of structure) {
    link.append('file', name)
    link.append('structure', packed)
  }
  return `#${link}`
}

// ---- files ----

const examples = JSON.parse($('example-files').textContent)

// Bytes out of a text; null where it is none, or would be larger than any network's structure.
async function unpack(text) {
  const most = 1 << 26, parts = []
  try {
    const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
    let length = 0
    for (let part; !(part = await reader.read()).done; parts.push(part.value))
      if ((length += part.value.length) > most) return null
    return new Uint8Array(await new Blob(parts).arrayBuffer())
  } catch {
    return null
  }
}

async function pack(bytes) {
  const packed = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer())
  let text = ''
  for (let i = 0; i < packed.length; i += 4096) text += String.fromCharCode(...packed.subarray(i, i + 4096))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

async function openExample(example) {
  state.files.clear()
  for (const [name, packed] of Object.entries(example.files)) state.files.set(name, await unpack(packed))
  if (example.boards) setBoards(example.boards.split(','))
  await opened(example.name)
}

async function openFiles(list) {
  if (!list.length) return
  for (const [path, file] of list) state.files.set(path.startsWith('-') ? `./${path}` : path, file) // no option
  await opened(null)
}

async function opened(example, structure = []) {
  state.example = example
  state.structure = structure
  document.body.classList.add('has-files')
  $('choices').hidden = false
  await classify()
  update()
}

// What each file is: the program tells. A folder whose files belong together is asked as one.
async function classify() {
  state.kinds.clear()
  const folders = new Set([...state.files.keys()].filter((p) => p.includes('/')).map((p) => p.split('/')[0]))
  for (const folder of folders) {
    const done = await ask(['inspect', folder, '--format', 'json'])
    if (done.exitCode === 0) state.kinds.set(folder, { kind: 'model', what: what(done.stdout), isFolder: true })
  }
  for (const path of state.files.keys()) {
    if (state.kinds.get(path.split('/')[0])?.isFolder) continue
    let done = await ask(['inspect', path, '--format', 'json'])
    if (done.exitCode === 0) {
      state.kinds.set(path, { kind: 'model', what: what(done.stdout) })
      continue
    }
    done = await ask(['import', path])
    const isProfile = done.exitCode === 0 || wantedBy(done.stderr).length || /^\s*\{\s*"schema"\s*:\s*"roofline\.measured/.test(await beginning(path))
    const kind = isProfile ? 'profile' : /\.(html?|txt|md|csv|json|log|db|sqlite|bin)$/i.test(path) && state.files.size > 1 ? 'beside' : 'model'
    state.kinds.set(path, { kind, what: kind === 'model' ? '' : kind, names: kind === 'profile' ? await beginning(path, 1 << 20) : '' })
  }
  document.body.classList.toggle('is-language', [...state.kinds.values()].some((k) => /hf_config|gguf|safetensors/.test(k.what)))
  showFiles()
}

async function beginning(path, length = 200) {
  const file = state.files.get(path)
  return new Blob([file instanceof Blob ? file.slice(0, length) : file.subarray(0, length)]).text()
}

// ---- files that are missing, by their names: the program's messages tell, or the name of a file that belongs to another ----

const wanted = [
  [/the model '([^']+)' is not there/g, 'the measured network: without it no bound stands beside its times'],
  [/no '([^']+)' that names them/g, 'it names the layers'],
  [/of the index are not beside it, the first is '([^']+)'/g, 'its header is enough'],
  [/(config\.json), which belongs beside/g, 'it says what shapes do not tell'],
  [/([^\s:]+-\d{5}-of-\d{5}\.gguf): cannot open/g, 'a part of this model; its header is enough'],
]
const owners = [
  [/^(.+\.onnx)[._]data$/, (m) => m[1], 'the network itself: weights alone say nothing, and are not needed'],
  [/^(.+)_ecblobs\.h$/, (m) => `${m[1]}.c`, 'the plan whose programs these are'],
  [/^(.+)-(?!00001)\d{5}-of-(\d{5})\.gguf$/, (m) => `${m[1]}-00001-of-${m[2]}.gguf`, 'the first part, which has the keys'],
]

const wantedBy = (text) => wanted.flatMap(([pattern, why]) => [...text.matchAll(pattern)].map((m) => [m[1], why]))

async function showMissing(messages) {
  const found = new Map(wantedBy(messages))
  for (const path of state.files.keys()) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1), name = path.slice(folder.length)
    for (const [pattern, owner, why] of owners) if (pattern.test(name)) found.set(folder + owner(name.match(pattern)), why)
    if (name.endsWith('.c'))
      for (const m of (await beginning(path, 1 << 20)).matchAll(/"([\w.-]+_ecblobs\.h)"/g)) found.set(folder + m[1], 'sizes of the programs of the epoch controller')
  }
  const lines = [...found].filter(([name]) => !state.files.has(name))
  $('missing').replaceChildren(...lines.map(([name, why]) => element('li', {}, 'Missing: ', element('b', {}, name), `, ${why}. Drop it here.`)))
  $('missing').hidden = !lines.length
}

function what(text) {
  const { format, compiled } = JSON.parse(text).model
  return `${format}${compiled ? ', compiled' : ''}`
}

function showFiles() {
  $('chosen').replaceChildren(
    ...[...state.kinds].map(([path, { what }]) => {
      const size = state.files.get(path)?.size ?? state.files.get(path)?.length
      return element('li', {}, path, element('small', {}, [what, size && sized(size)].filter(Boolean).join(', ')),
        element('button', { type: 'button', class: 'remove', 'aria-label': `Close ${path}`, onclick: () => close(path) }, '×'))
    }),
  )
}

function close(path) {
  for (const name of [...state.files.keys()]) if (name === path || name.startsWith(`${path}/`)) state.files.delete(name)
  state.kinds.delete(path)
  state.example = null
  if (state.files.size) return opened(null)
  document.body.classList.remove('has-files')
  $('choices').hidden = $('answer').hidden = true
  state.structure = []
  remember()
  $('open-files').focus()
}

async function readEntry(entry, out) {
  if (entry.isFile) {
    out.push([entry.fullPath.slice(1), await new Promise((done, fails) => entry.file(done, fails))])
  } else {
    const reader = entry.createReader()
    for (let some; (some = await new Promise((done, fails) => reader.readEntries(done, fails))).length;)
      for (const inner of some) await readEntry(inner, out)
  }
  return out
}

for (const kind of ['dragenter', 'dragover'])
  addEventListener(kind, (event) => {
    event.preventDefault()
    $('drop').classList.add('over')
  })
addEventListener('dragleave', (event) => event.relatedTarget || $('drop').classList.remove('over'))
addEventListener('drop', async (event) => {
  event.preventDefault()
  $('drop').classList.remove('over')
  const list = []
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  if (entries.length) for (const entry of entries) await readEntry(entry, list)
  else for (const file of event.dataTransfer.files) list.push([file.name, file])
  openFiles(list)
})
$('open-files').onclick = () => $('files').click()
$('open-folder').onclick = () => $('folder').click()
for (const id of ['files', 'folder'])
  $(id).onchange = () => {
    openFiles([...$(id).files].map((f) => [f.webkitRelativePath || f.name, f]))
    $(id).value = ''
  }

// ---- boards ----

const combo = $('board'), list = $('board-list')
let active = -1

function setBoards(boards) {
  state.boards = [...new Set(boards)]
  $('boards').replaceChildren(
    ...state.boards.map((id) =>
      element('span', {}, id,
        element('button', { type: 'button', class: 'remove', 'aria-label': `Without ${id}`,
          onclick: () => (setBoards(state.boards.filter((b) => b !== id)), update(), combo.focus()) }, '×'))),
  )
}

function fitting(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = (e) => (e.id.startsWith(words[0] ?? '') ? 0 : e.id.includes(words[0] ?? '') ? 1 : 2)
  return state.all
    .filter((e) => words.every((w) => e.search.includes(w)) && !state.boards.includes(e.id))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, 60)
}

function showList(open) {
  const found = open ? fitting(combo.value) : []
  active = found.length && combo.value.trim() ? 0 : -1
  list.replaceChildren(
    ...found.map((e, i) =>
      element('li', { role: 'option', id: `board-${i}`, 'aria-selected': String(i === active), 'data-id': e.id,
        onmousedown: (event) => (event.preventDefault(), choose(e.id)) }, element('b', {}, e.id), element('small', {}, e.summary)),
    ),
  )
  list.hidden = !found.length
  combo.setAttribute('aria-expanded', String(!list.hidden))
  point()
}

function point() {
  for (const [i, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(i === active))
  const item = list.children[active]
  if (item) {
    combo.setAttribute('aria-activedescendant', item.id)
    item.scrollIntoView({ block: 'nearest' })
  } else combo.removeAttribute('aria-activedescendant')
}

function choose(id) {
  combo.value = ''
  setBoards([...state.boards, id])
  showList(false)
  update()
}

combo.oninput = () => showList(true)
combo.onfocus = () => showList(true)
combo.onblur = () => showList(false)
combo.onkeydown = (event) => {
  const n = list.children.length
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (list.hidden) showList(true)
    else active = (active + (event.key === 'ArrowDown' ? 1 : -1) + n) % Math.max(n, 1)
    point()
    event.preventDefault()
  } else if (event.key === 'Enter') {
    const item = list.children[active]
    const text = combo.value.trim()
    if (item) choose(item.dataset.id)
    else if (text) choose(text) // a description of hardware, mac=2048/cycle,clock=300MHz
    event.preventDefault()
  } else if (event.key === 'Escape') {
    showList(false)
  } else if (event.key === 'Backspace' && !combo.value && state.boards.length) {
    setBoards(state.boards.slice(0, -1))
    update()
  }
}
for (const option of document.querySelectorAll('[data-option]')) option.addEventListener('input', () => update())

// ---- the answer ----

const of = (kind) => [...state.kinds].filter(([, k]) => k.kind === kind).map(([path]) => path)

function commandLine() {
  const models = of('model'), profiles = of('profile')
  const hw = state.boards.length ? ['--hw', state.boards.join(',')] : []
  const chosen = options().flatMap((o) => [`--${o.dataset.option}`, o.value.trim()])
  // one model is that of all runs, unless a profile names it as one of several
  const isOfAll = models.length === 1 && !profiles.some((p) => state.kinds.get(p).names.includes(`${models[0].split('/').at(-1)}"`))
  if (profiles.length)
    return ['reconcile', ...profiles, ...(isOfAll ? ['--model', models[0]] : []), ...(state.boards.length ? ['--hw', state.boards[0]] : [])]
  return ['predict', ...models, ...hw, ...chosen]
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

let isBusy = false, isStale = false

// At each key stroke; while one answer is computed only the newest further request is kept.
async function update() {
  isStale = true
  if (isBusy || !state.kinds.size) return
  isBusy = true
  $('answer').classList.add('waits')
  while (isStale) {
    isStale = false
    await answer()
  }
  isBusy = false
  $('answer').classList.remove('waits')
}

async function answer() {
  if (!of('model').length && !of('profile').length) return
  let line = commandLine()
  let done = await ask([...line, '--format', 'json'])
  if (done.exitCode === 64 && !state.boards.length && /add --hw/.test(done.stderr)) {
    setBoards(remembered().length ? remembered() : ['kv260'])
    line = commandLine()
    done = await ask([...line, '--format', 'json'])
  }
  $('answer').hidden = false
  $('asks').hidden = true
  $('structure').hidden = !(await structural()).length
  await showMissing(done.stderr)
  $('command').textContent = ['roofline', ...line].map(quoted).join(' ')
  state.asked = line
  let text = done.stdout
  state.last = null
  try {
    state.last = JSON.parse(text)
  } catch {
    // its messages say why
  }
  $('failure').hidden = !!state.last
  $('failure').textContent = state.last ? '' : done.stderr.trim()
  if (!state.last) {
    for (const id of ['verdict', 'compared', 'tabs', 'view']) $(id).replaceChildren()
    return remember()
  }
  await showVerdict(state.last)
  showCompared(state.last)
  showTabs()
  await showView()
  remember()
}

const predictions = (d) => (d.pairs ? d.pairs.map((p) => p.prediction).filter(Boolean) : d.layers ? [d] : [])

async function showVerdict(d) {
  const lines = d.verdict ?? []
  $('verdict').replaceChildren(...lines.map((line) => element('p', {}, line)))
  if (!lines.length) await firstParagraph()
}

// Documents without a verdict of their own: the first paragraph as a terminal shows it.
async function firstParagraph() {
  const done = await ask([...state.asked, '--brief'], { columns: 1000 })
  const lines = done.stdout.split('\n\n')[0].split('\n').filter(Boolean)
  $('verdict').replaceChildren(...lines.map((line) => element('p', {}, line)))
}

const sized = (n) => (n < 1e3 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toPrecision(3)} kB` : n < 1e9 ? `${(n / 1e6).toPrecision(3)} MB` : `${(n / 1e9).toPrecision(3)} GB`)
function timed(s) {
  if (s == null) return 'not known'
  const [scale, unit] = s >= 1 ? [1, 's'] : s >= 1e-3 ? [1e3, 'ms'] : [1e6, 'µs']
  return `${Number((s * scale).toPrecision(4))} ${unit}`
}

function cell(text, kind) {
  return element('td', { class: kind }, text)
}

// A bound never ranks: it is a thin mark, an expected time a thick one in its interval.
function showCompared(d) {
  $('compared').replaceChildren()
  if (!d.pairs || d.pairs.length < 2) return
  const most = Math.max(...d.pairs.map((p) => p.time?.high ?? p.time?.value ?? p.best_s ?? 0))
  const percent = (s) => `${(100 * s) / most}%`
  const ofOne = new Set(d.pairs.map((p) => p.model ?? p.path)).size < 2 ? 'same' : null // narrow screens have no room for what is the same
  const rows = d.pairs.map((p) => {
    const t = p.time ?? {}
    const isExpected = t.kind === 'expected'
    const marks = element('div', { class: 'range', 'aria-hidden': 'true' })
    if (isExpected && t.low != null) marks.append(place('i', { left: percent(t.low), width: `calc(${percent(t.high - t.low)} + 1px)` }))
    if (isExpected) marks.append(place('b', { left: percent(t.value) }))
    if (p.best_s) marks.append(place('u', { left: percent(p.best_s) }))
    return element('tr', {}, cell(p.model ?? p.path, ofOne), cell(p.hardware ?? p.asked_hw), cell(p.busy_cores ?? '', 'number'),
      cell(isExpected ? timed(t.value) : 'not known', 'number'),
      cell(isExpected && t.low != null ? `${timed(t.low)} to ${timed(t.high)}` : '', 'number'),
      cell(p.best_s ? timed(p.best_s) : '', 'number more'), cell(p.why ?? p.bound ?? '', 'more'), element('td', { class: 'more' }, marks))
  })
  const heads = [['model', ofOne], ['board'], ['busy cores', 'number'], ['expected', 'number'], ['95 %', 'number'], ['at best', 'number more'],
    ['bound', 'more'], ['', 'more']]
  $('compared').append(element('div', { class: 'scroll' }, element('table', {},
    element('thead', {}, element('tr', {}, ...heads.map(([h, kind]) => element('th', { scope: 'col', class: kind }, h)))),
    element('tbody', {}, ...rows))))
}

function place(name, style) {
  const node = element(name)
  Object.assign(node.style, style)
  return node
}

// ---- views ----

const views = {
  layers: ['Layers', (d) => predictions(d).length, showLayers],
  roofline: ['Roofline', (d) => predictions(d).some((p) => p.hardware?.ceilings?.some((c) => c.ops_per_s)), showRoofline],
  text: ['As the command prints it', () => true, showText],
  findings: ['Findings', () => true, showFindings],
  report: ['Report', () => true, showReport],
}

function showTabs() {
  const there = Object.entries(views).filter(([, [, has]]) => has(state.last))
  if (!there.some(([id]) => id === state.view)) state.view = there[0][0]
  const before = document.activeElement?.parentElement === $('tabs')
  $('tabs').replaceChildren(
    ...there.map(([id, [title]]) =>
      element('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-selected': String(id === state.view), 'aria-controls': 'view',
        tabindex: id === state.view ? '0' : '-1', onclick: () => turnTo(id) }, title)),
  )
  $('view').setAttribute('aria-labelledby', `tab-${state.view}`)
  if (before) $(`tab-${state.view}`).focus()
}

async function turnTo(id) {
  state.view = id
  showTabs()
  $(`tab-${id}`).focus()
  await showView()
  remember()
}

$('tabs').onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const ids = [...$('tabs').children].map((t) => t.id.slice(4))
  turnTo(ids[(ids.indexOf(state.view) + step + ids.length) % ids.length])
  event.preventDefault()
}

const showView = () => views[state.view][2](state.last)

function showLayers(d) {
  const shown = predictions(d).map((p) => {
    const time = (row) => row.predicted_s ?? row.ideal_s ?? 0
    const isPredicted = p.layers.some((row) => row.predicted_s != null)
    const total = p.layers.reduce((sum, row) => sum + time(row), 0)
    const most = Math.max(...p.layers.map(time))
    const rows = [...p.layers].sort((a, b) => time(b) - time(a)).slice(0, d.pairs ? 10 : 25)
    const heads = [['#'], ['layer'], ['type', 'more'], ['MACs', 'number more'], ['memory', 'number more'], [isPredicted ? 'expected' : 'ideal', 'number'],
      ['share', 'number'], ['bound'], ['', 'bars more']]
    const causes = (p.causes ?? []).slice(0, 3).map((c) => element('li', {}, `${c.subject}: ${c.why}`, c.gain_s ? `; ${timed(c.gain_s)} to gain` : '', c.advice ? `. ${c.advice[0].toUpperCase()}${c.advice.slice(1)}.` : ''))
    return element('section', {},
      d.pairs ? element('h3', {}, `${p.model.name} on ${p.hardware.id}`) : null,
      causes.length ? element('ol', { class: 'causes', 'aria-label': 'Causes of lost time, the largest first' }, ...causes) : null,
      element('div', { class: 'scroll' }, element('table', {},
        element('caption', { class: 'unseen' }, 'Layers that take longest'),
        element('thead', {}, element('tr', {}, ...heads.map(([h, kind]) => element('th', { scope: 'col', class: kind }, h)))),
        element('tbody', {}, ...rows.map((row) =>
          element('tr', {}, cell(row.index), cell(row.name), cell(row.type, 'more'), cell(row.macs == null ? 'not known' : (row.macs / 1e6).toFixed(1) + ' M', 'number more'),
            cell(row.bytes?.total == null ? 'not known' : sized(row.bytes.total), 'number more'), cell(timed(time(row)), 'number'),
            cell(total ? `${((100 * time(row)) / total).toFixed(1)} %` : '', 'number'), cell(row.bound ?? ''),
            element('td', { class: 'bars more', 'aria-hidden': 'true' }, bar(time(row) / most))))))),
      element('p', {}, element('small', {}, p.layers.length > rows.length ? `${rows.length} of ${p.layers.length} rows, the longest first; the JSON has all.` : `${rows.length} rows.`)))
  })
  $('view').replaceChildren(...shown)
}

function bar(share) {
  const node = element('span', { class: 'bar' })
  node.style.width = `${(100 * (share || 0)).toFixed(1)}%`
  return node
}

// ---- the roofline: attainable speed over intensity, both by powers of ten ----

function showRoofline(d) {
  $('view').replaceChildren(...predictions(d).map(drawRoofline).filter(Boolean))
}

function drawRoofline(p) {
  const W = 720, H = 400, left = 76, right = 16, top = 28, bottom = 44
  const roofs = p.hardware.ceilings.filter((c) => c.ops_per_s), memories = p.hardware.ceilings.filter((c) => c.bytes_per_s)
  if (!roofs.length || !memories.length) return null
  const bandwidth = Math.max(...memories.map((m) => m.bytes_per_s)), peak = Math.max(...roofs.map((r) => r.ops_per_s))
  const time = (row) => row.predicted_s ?? row.ideal_s
  const points = p.layers.filter((row) => row.intensity_ops_per_byte > 0 && row.roof_ops_count > 0 && time(row) > 0)
    .map((row) => ({ row, x: row.intensity_ops_per_byte, y: row.roof_ops_count / time(row) }))
  const xs = [...points.map((q) => q.x), peak / bandwidth], ys = [...points.map((q) => q.y), peak]
  const low = (list) => Math.floor(Math.log10(Math.min(...list))), high = (list) => Math.ceil(Math.log10(Math.max(...list)) + 0.05)
  const [x0, x1, y0, y1] = [low(xs), high(xs), low(ys), high(ys)]
  const X = (v) => left + ((Math.log10(v) - x0) / (x1 - x0)) * (W - left - right)
  const Y = (v) => H - bottom - ((Math.log10(v) - y0) / (y1 - y0)) * (H - top - bottom)
  const ns = 'http://www.w3.org/2000/svg'
  const draw = (name, attributes, ...inner) => {
    const node = document.createElementNS(ns, name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.append(...inner)
    return node
  }
  const si = (v) => (v >= 1e12 ? `${v / 1e12} T` : v >= 1e9 ? `${v / 1e9} G` : v >= 1e6 ? `${v / 1e6} M` : v >= 1e3 ? `${v / 1e3} k` : String(v))
  const title = `${p.model.name} on ${p.hardware.id}: speed of each layer over its intensity`
  const svg = draw('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${title}; ${points.length} layers, as in the table` })
  svg.append(draw('text', { x: left, y: 16 }, title))
  for (let e = x0; e <= x1; e++) {
    const v = 10 ** e
    svg.append(draw('line', { x1: X(v), x2: X(v), y1: top, y2: H - bottom, stroke: 'var(--faint)' }))
    svg.append(draw('text', { x: X(v), y: H - bottom + 18, 'text-anchor': 'middle' }, String(Number(v.toPrecision(2)))))
  }
  for (let e = y0; e <= y1; e++) {
    const v = 10 ** e
    svg.append(draw('line', { x1: left, x2: W - right, y1: Y(v), y2: Y(v), stroke: 'var(--faint)' }))
    svg.append(draw('text', { x: left - 8, y: Y(v) + 4, 'text-anchor': 'end' }, si(v)))
  }
  svg.append(draw('text', { x: (left + W) / 2, y: H - 8, 'text-anchor': 'middle' }, 'operations per byte of memory'))
  svg.append(draw('text', { x: 14, y: H / 2, transform: `rotate(-90 14 ${H / 2})`, 'text-anchor': 'middle' }, 'operations per second'))
  for (const roof of roofs) {
    const ridge = roof.ops_per_s / bandwidth, from = Math.max(10 ** x0, 10 ** y0 / bandwidth)
    const line = `M${X(from)} ${Y(from * bandwidth)} L${X(ridge)} ${Y(roof.ops_per_s)} L${W - right} ${Y(roof.ops_per_s)}`
    if (ridge < 10 ** x0 || roof.ops_per_s < 10 ** y0) continue
    svg.append(draw('path', { d: line, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.5 }))
    svg.append(draw('text', { x: W - right, y: Y(roof.ops_per_s) - 5, 'text-anchor': 'end' }, roof.engine))
  }
  const longest = Math.max(...points.map((q) => time(q.row)))
  for (const q of points) {
    const isMemory = !p.hardware.ceilings.find((c) => c.engine === q.row.bound)?.ops_per_s
    svg.append(draw('circle', { cx: X(q.x), cy: Y(q.y), r: 3 + 7 * Math.sqrt(time(q.row) / longest), fill: isMemory ? 'var(--memory)' : 'var(--bar)',
      'fill-opacity': 0.55, stroke: 'var(--paper)' },
      draw('title', {}, `${q.row.index} ${q.row.name}: ${timed(time(q.row))}, ${si(Number(q.y.toPrecision(3)))} ops/s, bound by ${q.row.bound}`)))
  }
  return element('figure', { style: 'margin:0' }, svg, element('figcaption', {}, element('small', {}, 'A circle is a layer; its area is its time. Blue: an engine that computes binds, amber: memory or loads.')))
}

// ---- as the command prints it; findings; report ----

const columns = () => Math.max(60, Math.min(160, Math.floor(($('view').clientWidth - 30) / 8.45)))

async function showText() {
  const done = await ask(state.asked, { columns: columns() })
  $('view').replaceChildren(element('pre', {}, done.stdout + done.stderr))
}

async function showFindings() {
  const done = await ask([...state.asked, '--findings'], { columns: columns() })
  const at = done.stdout.indexOf('\nfindings')
  $('view').replaceChildren(element('pre', {}, at < 0 ? done.stdout + done.stderr : done.stdout.slice(at + 1)))
}

let frameUrl = null

async function showReport() {
  $('view').replaceChildren(element('p', { role: 'status' }, 'Writing the report'))
  // predictions as documents, so that every choice counts; of a profile the files themselves
  const files = new Map(state.files), inputs = []
  for (const [i, p] of predictions(state.last).entries()) {
    inputs.push(`prediction-${i + 1}.json`)
    files.set(inputs.at(-1), JSON.stringify(p))
  }
  const line = inputs.length ? inputs : state.asked.slice(1)
  const done = await ask(['report', ...line, '-o', 'report'], { files, wanted: 'report/' })
  const written = new Map(done.files).get('report/index.html')
  if (!written) return $('view').replaceChildren(element('pre', {}, done.stderr))
  // links to the files beside it lead nowhere from one file
  const page = new TextDecoder().decode(written).replace('</head>', '<style>.files { display: none }</style></head>')
  if (frameUrl) URL.revokeObjectURL(frameUrl)
  frameUrl = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  $('view').replaceChildren(
    element('p', { class: 'buttons' }, element('button', { type: 'button', onclick: () => save(page, 'roofline-report.html', 'text/html') }, 'Save the report'),
      element('small', {}, `${sized(page.length)}, one file${done.exitCode === 69 ? '. Some pictures are not there: gnuplot could not draw them' : ''}.`)),
    element('iframe', { sandbox: 'allow-scripts', src: frameUrl, title: 'Report' }))
}

// ---- what is taken away ----

function say(text) {
  $('said').textContent = text
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text)
    say(`${what} is copied.`)
  } catch {
    say(`This browser does not let a page copy. ${text}`)
  }
}

function save(content, name, type) {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const anchor = element('a', { href: url, download: name })
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(url), 10000)
  say(`${name} is saved.`)
}

$('copy').onclick = () => copy($('command').textContent, 'The command')
$('link').onclick = () => {
  remember()
  copy(location.href, state.structure.length ? 'A link to these choices with the structure' : state.example ? 'A link to this example and these choices' : 'A link to these choices, without the model,')
}
// ---- a link that holds the network itself: of an ONNX file all but its weights, of a text the file ----

const texts = /^(hf_config|c_info|network_csv|network_c|aie_mlir|vitisai_ep|generate_report)\b/
const MOST_OF_LINK = 1 << 20 // browsers refuse longer ones from twice this on

const structural = async () => [...state.kinds].filter(([, k]) => k.kind === 'model' && !k.isFolder && (/^onnx\b/.test(k.what) || texts.test(k.what)))

async function structureOf(path, kind) {
  if (texts.test(kind.what)) return state.files.get(path)
  const to = '.roofline-structure.onnx'
  const done = await ask(['inspect', path, '--without-weights', to], { wanted: to })
  return new Map(done.files).get(to)
}

$('structure').onclick = async () => {
  const made = []
  for (const [path, kind] of await structural()) {
    const bytes = await structureOf(path, kind)
    if (bytes) made.push([path.split('/').at(-1), await pack(bytes)])
  }
  const link = `${location.href.split('#')[0]}${linkWith(made)}`
  const isLong = link.length > MOST_OF_LINK
  const what = 'names, types, shapes and connections of its operators, and constants of a few numbers; no weights, no profile'
  $('asks').hidden = false
  $('asks').replaceChildren(
    element('p', {}, isLong ? `The link would have ${sized(link.length)}, and browsers take 1 MB.`
      : `The link holds ${made.map(([name]) => name).join(', ')}: ${what}. It has ${sized(link.length)}, all behind the #, which a browser sends to nobody. Who has the link has these.`),
    isLong ? null : element('button', { type: 'button', id: 'agree', onclick: () => {
      state.structure = made
      remember()
      copy(link, 'A link to these choices with the structure')
      $('asks').hidden = true
    } }, 'Copy it'),
    element('button', { type: 'button', onclick: () => ($('asks').hidden = true, $('structure').focus()) }, isLong ? 'Close' : 'Do not'))
  $('asks').querySelector('button').focus()
}

$('save').onclick = () => state.last && save(JSON.stringify(state.last, null, 1), 'roofline.json', 'application/json')
$('show-notices').onclick = (event) => {
  event.preventDefault()
  $('notices').hidden = !$('notices').hidden
}

// ---- embedding: {roofline: 'ping'} is answered by 'pong'; {roofline: 'open', files, boards} by {roofline: 'answer', json} ----

addEventListener('message', async ({ data, source, origin }) => {
  if (!source || source === window || typeof data?.roofline !== 'string') return
  const reply = (message) => source.postMessage(message, origin === 'null' ? '*' : origin)
  if (data.roofline === 'ping') reply({ roofline: 'pong' })
  if (data.roofline !== 'open' || !Array.isArray(data.files)) return
  const isFile = (f) => typeof f?.name === 'string' && (f.bytes instanceof Uint8Array || f.bytes instanceof ArrayBuffer || f.bytes instanceof Blob)
  if (!data.files.every(isFile)) return
  state.files.clear()
  if (Array.isArray(data.boards)) setBoards(data.boards.map(String))
  await openFiles(data.files.map((f) => [f.name, f.bytes instanceof ArrayBuffer ? new Uint8Array(f.bytes) : f.bytes]))
  while (isBusy) await new Promise((done) => setTimeout(done, 10))
  reply({ roofline: 'answer', json: state.last, message: $('failure').textContent })
})

// ---- the beginning ----

function fail(why) {
  $('version').textContent = `This browser cannot run the page: ${why}`
}

async function begin() {
  const [version, boards] = await Promise.all([ask(['--version'], { files: [] }), ask(['hw', 'list', '--format', 'json'], { files: [] })])
  $('version').textContent = version.stdout.trim()
  state.all = JSON.parse(boards.stdout).entries.map((e) => ({ ...e, search: `${e.id} ${e.name} ${e.family} ${e.aliases} ${e.summary}`.toLowerCase() }))
  $('board-help').textContent = `Search in ${state.all.length} by name, maker or kind; several are compared.`
  document.body.dataset.ready = 'yes'
  const link = new URLSearchParams(location.hash.slice(1))
  if (link.get('hw')) setBoards(link.get('hw').split(','))
  for (const option of document.querySelectorAll('[data-option]')) option.value = link.get(option.dataset.option) ?? ''
  if (views[link.get('view')]) state.view = link.get('view')
  const example = examples.find((e) => e.name === link.get('example'))
  if (example) return openExample(link.get('hw') ? { ...example, boards: null } : example)
  const names = link.getAll('file'), packed = link.getAll('structure')
  const structure = names.map((name, i) => [name.replace(/^.*\//, '') || 'model', packed[i] ?? '']).slice(0, 16)
  for (const [name, text] of structure) {
    const bytes = await unpack(text)
    if (!bytes) return ($('linked').textContent = 'The link is not whole: the network that it holds cannot be read.')
    state.files.set(name.startsWith('-') ? `./${name}` : name, bytes)
  }
  if (structure.length) await opened(null, structure)
}

for (const example of examples)
  $('examples').append(element('button', { type: 'button', onclick: () => openExample(example) }, example.title))
