#!/usr/bin/env node
// The command: the module with the arguments, the files and the standard streams of this process.
import { readFile } from 'node:fs/promises'

const warn = process.emitWarning
process.emitWarning = (text, ...more) => (String(text).includes('WASI') ? undefined : warn.call(process, text, ...more))
const { WASI } = await import('node:wasi')

const env = { ...process.env, PWD: process.cwd() }
if (process.stdout.isTTY) {
  env.COLUMNS ??= process.stdout.columns
  env.LINES ??= process.stdout.rows
}
const wasi = new WASI({ version: 'preview1', args: ['roofline', ...process.argv.slice(2)], env, preopens: { '/': '/' } })
const module = await WebAssembly.compile(await readFile(new URL('../roofline.wasm', import.meta.url)))
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()))
