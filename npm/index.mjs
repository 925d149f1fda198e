// The functions: the command, as a function over files in memory. docs/npm.md is the manual.
import { run as runModule, blobSource } from './wasi.mjs'

const isNode = typeof process !== 'undefined' && !!process.versions?.node
let compiled, drawing

async function load(name = 'roofline.wasm') {
  const url = new URL(`./${name}`, import.meta.url)
  if (!isNode) return WebAssembly.compileStreaming(fetch(url))
  const { readFile } = await import('node:fs/promises')
  return WebAssembly.compile(await readFile(url))
}

// What draws the pictures of a command, a module of its own; of commands that draw none it is not loaded.
async function drawerOf(args) {
  if (args[0] !== 'report' && !args.some((word) => word.startsWith('--chart'))) return undefined
  const module = await (drawing ??= load('gnuplot.wasm').catch(() => undefined))
  return module && (() => module)
}

/** What the program says where it does not answer: its messages, and its exit code. */
export class RooflineError extends Error {
  constructor(message, exitCode) {
    super(message)
    this.name = 'RooflineError'
    this.exitCode = exitCode
  }
}

// A path is read as it is asked for, so that weights cost nothing.
async function pathSource(path) {
  const fs = await import('node:fs')
  const file = fs.openSync(path, 'r')
  return {
    size: fs.fstatSync(file).size,
    read: (at, into) => fs.readSync(file, into, 0, into.length, at),
    close: () => fs.closeSync(file),
  }
}

async function contentOf(content) {
  if (content instanceof Uint8Array) return content
  if (content instanceof ArrayBuffer) return new Uint8Array(content)
  if (typeof Blob !== 'undefined' && content instanceof Blob)
    return typeof FileReaderSync === 'undefined' ? new Uint8Array(await content.arrayBuffer()) : blobSource(content)
  throw new TypeError('a file is a Uint8Array, an ArrayBuffer, a Blob or a File')
}

/** Runs the command with files in memory: {exitCode, stdout, stderr, files}. files: a Map or an object, path to content. */
export async function run(args, { files = {}, stdin, env } = {}) {
  compiled ??= load()
  const list = new Map()
  for (const [path, content] of files instanceof Map ? files : Object.entries(files)) list.set(path, await contentOf(content))
  const done = runModule(await compiled, { args, files: list, stdin, env, gnuplot: await drawerOf(args) })
  return { ...done, stdout: new TextDecoder().decode(done.stdout) }
}

// {hw: ['kv260', 'zcu104'], dataType: 'int8', strict: true} as --hw=kv260,zcu104 --data-type=int8 --strict.
function words(options) {
  return Object.entries(options).flatMap(([key, value]) => {
    const name = `--${key.replace(/_/g, '-').replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
    if (value === undefined || value === null || value === false) return []
    return [value === true ? name : `${name}=${Array.isArray(value) ? value.join(',') : value}`]
  })
}

const REPORT = 'roofline-report/'

async function withFiles(models, options, ask) {
  const { name, files: beside = {}, ...rest } = options
  const files = new Map(beside instanceof Map ? beside : Object.entries(beside))
  const paths = [], open = []
  compiled ??= load()
  try {
    for (const model of Array.isArray(models) ? models : [models]) {
      if (typeof model === 'string' && files.has(model)) {
        paths.push(model)
        continue
      }
      let path = name ?? model.name ?? `model${paths.length || ''}`
      let content
      if (typeof model === 'string') {
        if (!isNode) throw new TypeError('a path needs node; give bytes or a File')
        path = model.replace(/^.*[\\/]/, '')
        content = await pathSource(model)
        open.push(content)
      } else content = await contentOf(model)
      files.set(path, content)
      paths.push(path)
    }
    for (const [path, content] of files)
      if (content instanceof ArrayBuffer || (typeof Blob !== 'undefined' && content instanceof Blob)) files.set(path, await contentOf(content))
    const given = paths.map((path) => (path.startsWith('-') ? `./${path}` : path))
    const args = ask(given, words(rest))
    const done = runModule(await compiled, { args, files, gnuplot: await drawerOf(args) })
    // 1: a check failed, and the document says which; 69: a report without some picture
    const isReport = done.exitCode === 69 && done.files.has(`${REPORT}index.html`)
    if (done.exitCode > 1 && !isReport) throw new RooflineError(done.stderr.trim(), done.exitCode)
    return done
  } finally {
    for (const source of open) source.close()
  }
}

const documentOf = (done) => JSON.parse(new TextDecoder().decode(done.stdout))

/** How long models take on hardware, and what limits them. */
export async function predict(models, options = {}) {
  return documentOf(await withFiles(models, options, (paths, rest) => ['predict', ...paths, '--format=json', ...rest]))
}

/** A measured profile beside what is expected. */
export async function reconcile(profiles, options = {}) {
  return documentOf(await withFiles(profiles, options, (paths, rest) => ['reconcile', ...paths, '--format=json', ...rest]))
}

/** What is in a model. */
export async function inspect(model, options = {}) {
  return documentOf(await withFiles(model, options, (paths, rest) => ['inspect', ...paths, '--format=json', ...rest]))
}

/** A report: name of each of its files to its bytes; index.html is the page. */
export async function report(inputs, options = {}) {
  const done = await withFiles(inputs, options, (paths, rest) => ['report', ...paths, '-o', REPORT, ...rest])
  return new Map([...done.files].filter(([path]) => path.startsWith(REPORT)).map(([path, bytes]) => [path.slice(REPORT.length), bytes]))
}

/** All devices that are built in. */
export async function boards() {
  const { stdout } = await run(['hw', 'list', '--format=json'])
  return JSON.parse(stdout).entries
}

/** The version of the program. */
export async function version() {
  return (await run(['--version'])).stdout.trim().split(' ')[1]
}
