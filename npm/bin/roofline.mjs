#!/usr/bin/env node
// The command: the module with the arguments, the files and the standard streams of this process.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { draw, filesOf, treeOf } from '../wasi.mjs'

const warn = process.emitWarning
process.emitWarning = (text, ...more) => (String(text).includes('WASI') ? undefined : warn.call(process, text, ...more))
const { WASI } = await import('node:wasi')

const load = (name) => new WebAssembly.Module(readFileSync(new URL(`../${name}`, import.meta.url)))
const env = { ...process.env, PWD: process.cwd() }
if (process.stdout.isTTY) {
  env.COLUMNS ??= process.stdout.columns
  env.LINES ??= process.stdout.rows
}
const wasi = new WASI({ version: 'preview1', args: ['roofline', ...process.argv.slice(2)], env, preopens: { '/': '/' } })
const system = { ...wasi.wasiImport }
let instance

// ---- /dev/gnuplot, as wasi.mjs has it, over a folder of the disk ----

const DEVICE = 'dev/gnuplot', NUMBER = 1 << 20 // no open file has this number
const bytes = (at, n) => new Uint8Array(instance.exports.memory.buffer, at, n)
const word = (at) => new DataView(instance.exports.memory.buffer).getUint32(at, true)
const put = (at, value) => (new DataView(instance.exports.memory.buffer).setUint32(at, value, true), 0)
let said = new Uint8Array(0)

// The folder is gnuplot's alone.
function drawn(request) {
  let path, tree
  const answer = draw(load('gnuplot.wasm'), request, (folder) => {
    path = folder
    const files = readdirSync(path, { withFileTypes: true }).filter((one) => one.isFile())
    return (tree = treeOf(files.map(({ name }) => [name, new Uint8Array(readFileSync(join(path, name)))])))
  })
  for (const [name, content] of filesOf(tree)) writeFileSync(join(path, name), content)
  return answer
}

const others = {
  path_open(fd, follows, path, n, ...more) {
    if (new TextDecoder().decode(bytes(path, n)) !== DEVICE) return wasi.wasiImport.path_open(fd, follows, path, n, ...more)
    return put(more.at(-1), NUMBER)
  },
  fd_fdstat_get: (fd, out) => (bytes(out, 24).fill(0xff), bytes(out, 4).fill(0), 0),
  fd_write(fd, list, n, total) {
    said = drawn(bytes(word(list), word(list + 4)).slice()) // in one piece
    return put(total, word(list + 4))
  },
  fd_read(fd, list, n, total) {
    const part = said.subarray(0, word(list + 4))
    bytes(word(list), part.length).set(part)
    said = said.subarray(part.length)
    return put(total, part.length)
  },
  fd_close: () => 0,
}
system.path_open = others.path_open
for (const name of ['fd_fdstat_get', 'fd_write', 'fd_read', 'fd_close'])
  system[name] = (fd, ...more) => (fd === NUMBER ? others : wasi.wasiImport)[name](fd, ...more)

instance = new WebAssembly.Instance(load('roofline.wasm'), { wasi_snapshot_preview1: system })
process.exitCode = wasi.start(instance)
