// Joins the package and the page: node npm/make.mjs MODULE GNUPLOT VERSION NOTICES OUT
//
// OUT/npm is the package, OUT/page/roofline.html the page. Types are made of docs/schema, the hash of a report's script is taken
// from a report that the module writes, so nothing is said twice.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const [module, gnuplot, version, notices, out] = process.argv.slice(2)
const here = dirname(fileURLToPath(import.meta.url)), root = dirname(here)
const text = (path) => readFileSync(path, 'utf8')

// ---- types ----

const identifier = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const pascal = (name) => name.replace(/(^|[_.-])([a-z])/g, (_, __, c) => c.toUpperCase())

function typeOf(schema, prefix) {
  if (schema === true || schema === undefined) return 'unknown'
  if (schema.$ref) return schema.$ref.startsWith('#/$defs/') ? prefix + pascal(schema.$ref.slice(8)) : schema.$ref.startsWith('#') ? prefix : 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(' | ')
  const any = schema.anyOf ?? schema.oneOf
  if (any) return [...new Set(any.map((s) => typeOf(s, prefix)))].join(' | ')
  const kinds = [schema.type ?? (schema.properties ? 'object' : null)].flat()
  return [...new Set(kinds.map((kind) => {
    if (kind === 'object') {
      const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
        const doc = member.description ? `/** ${member.description.replaceAll('*/', '* /')} */ ` : ''
        return `${doc}${identifier(name)}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(member, prefix)}`
      })
      return members.length ? `{\n${members.join('\n')}\n}` : `Record<string, ${typeOf(schema.additionalProperties || undefined, prefix)}>`
    }
    if (kind === 'array') return `Array<${typeOf(schema.items, prefix)}>`
    return { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' }[kind] ?? 'unknown'
  }))].join(' | ')
}

function types() {
  const lines = ['// Made of docs/schema by npm/make.mjs.\n']
  for (const file of readdirSync(join(root, 'docs/schema')).sort()) {
    const schema = JSON.parse(text(join(root, 'docs/schema', file))), name = pascal(file.split('-')[0])
    for (const [part, inner] of Object.entries(schema.$defs ?? {})) lines.push(`export type ${name}${pascal(part)} = ${typeOf(inner, name)}\n`)
    lines.push(`export type ${name} = ${typeOf(schema, name)}\n`)
  }
  return lines.join('\n') + text(join(here, 'index.d.ts'))
}

// ---- the package ----

const to = join(out, 'npm')
rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })
for (const name of ['bin', 'index.mjs', 'wasi.mjs', 'README.md']) cpSync(join(here, name), join(to, name), { recursive: true })
cpSync(module, join(to, 'roofline.wasm'))
cpSync(gnuplot, join(to, 'gnuplot.wasm'))
cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
cpSync(notices, join(to, 'NOTICES.txt'))
writeFileSync(join(to, 'package.json'), text(join(here, 'package.json')).replace('@VERSION@', version))
writeFileSync(join(to, 'index.d.ts'), types())

// ---- the page ----

const { report } = await import(new URL(`file://${join(process.cwd(), to)}/index.mjs`).href.replace(`${process.cwd()}//`, '/'))
const digest = (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64')
const example = (name, title, boards, ...paths) => ({ name, title, boards,
  files: Object.fromEntries(paths.map((path) => [path.split('/').at(-1), packed(readFileSync(join(root, 'examples', path)))])) })
const examples = [
  example('resnet50', 'ResNet-50 on three boards', 'kv260,zcu104,npu2', 'models/resnet50.onnx'),
  example('mobilenetv2', 'MobileNetV2, compiled for a DPU', null, 'models/mobilenetv2-b4096.xmodel'),
  example('stm32n6', 'STM32N6', null, 'stm32n6/network_c_info.json'),
  example('ethosu', 'Ethos-U by Vela', null, 'ethosu/classifier_vela.tflite'),
  example('llama', 'Llama 3.2 1B', 'npu2', 'npu2/llama-3.2-1b.json'),
]
const written = await report(readFileSync(join(root, 'examples/models/resnet50.onnx')), { name: 'resnet50.onnx', hw: 'kv260' })
const ofReport = new TextDecoder().decode(written.get('index.html')).match(/script-src ('sha256-[^']*')/)[1]
const script = text(join(here, 'page/page.js'))
const policy = ["default-src 'none'", `script-src ${digest(script)} ${ofReport} 'wasm-unsafe-eval'`, 'worker-src blob:',
  "style-src 'unsafe-inline'", 'img-src data:', 'frame-src blob:', "base-uri 'none'", "form-action 'none'"].join('; ')
const worker = text(join(here, 'wasi.mjs')).replace(/^export /gm, '') + text(join(here, 'page/worker.js'))
const escaped = (s) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const parts = {
  POLICY: policy, STYLE: text(join(here, 'page/page.css')), SCRIPT: script, WORKER: worker, NOTICES: escaped(text(notices)),
  MODULE: packed(readFileSync(module)), GNUPLOT: packed(readFileSync(gnuplot)), EXAMPLES: JSON.stringify(examples),
}
for (const [name, part] of Object.entries(parts))
  if (/<\/script/i.test(part) && name !== 'NOTICES') throw new Error(`${name} would end its script`)
const page = text(join(here, 'page/page.html')).replace(/@([A-Z]+)@/g, (mark, name) => parts[name] ?? mark)
mkdirSync(join(out, 'page'), { recursive: true })
writeFileSync(join(out, 'page/roofline.html'), page)
console.log(`${join(out, 'page/roofline.html')}: ${page.length} bytes, ${gzipSync(page).length} compressed`)
