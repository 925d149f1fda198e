// The functions of the npm package, as somebody gets them who installs it: node package.mjs NATIVE EXAMPLES, in a folder where the
// packed package is installed.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'node:test'

const [native, examples] = process.argv.slice(2)
const entry = join(process.cwd(), 'node_modules/roofline-cli/index.mjs')
const { predict, reconcile, inspect, report, boards, run, version, RooflineError } = await import(pathToFileURL(entry).href)
const network = join(examples, 'models/resnet50.onnx')
const bytes = new Uint8Array(readFileSync(network))
const asNative = (...args) => execFileSync(native, args, { cwd: join(examples, 'models'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const want = JSON.parse(asNative('predict', 'resnet50.onnx', '--hw', 'kv260', '--format', 'json'))

test('the package is found by its name', () => {
  assert.equal(createRequire(join(process.cwd(), 'x.js')).resolve('roofline-cli'), entry)
})

test('a prediction of bytes, of a path, of a File is that of the native program', async () => {
  for (const model of [network, bytes, new File([bytes], 'resnet50.onnx')])
    assert.deepEqual(await predict(model, { hw: 'kv260', name: model === bytes ? 'resnet50.onnx' : undefined }), want)
})

test('several boards are compared', async () => {
  const compared = await predict(network, { hw: ['kv260', 'zcu104'] })
  assert.deepEqual(compared.pairs.map((p) => p.hardware), ['kv260', 'zcu104'])
})

test('options are those of the command', async () => {
  const p = await predict(network, { hw: 'kv260', batch: 2, dtype: 'int8' })
  assert.equal(p.options.batch, 2)
})

test('what fails says why, with the exit code of the command', async () => {
  await assert.rejects(predict(bytes, { name: 'resnet50.onnx' }), (e) => e instanceof RooflineError && e.exitCode === 64 && /add --hw/.test(e.message))
  await assert.rejects(predict(new Uint8Array([1, 2, 3]), { hw: 'kv260' }), (e) => e.exitCode === 65)
  await assert.rejects(predict(network, { hw: 'no-such-board' }), RooflineError)
})

test('a name that looks like an option is a file', async () => {
  assert.equal((await predict(bytes, { name: '--brief.onnx', hw: 'kv260' })).model.name, '--brief')
})

test('a profile is reconciled with the model beside it', async () => {
  const profile = new Uint8Array(readFileSync(join(examples, 'kv260/measured.json')))
  const models = Object.fromEntries(['mobilenetv1', 'mobilenetv2', 'resnet50'].map((n) => [`${n}-b4096.xmodel`, new Uint8Array(readFileSync(join(examples, `kv260/${n}-b4096.xmodel`)))]))
  const r = await reconcile(profile, { name: 'measured.json', files: models })
  assert.match(r.schema, /^roofline\.reconciliation/)
})

test('an inspection, the boards, the version', async () => {
  assert.equal((await inspect(network)).model.format, 'onnx')
  assert.ok((await boards()).some((b) => b.id === 'kv260'))
  assert.equal(`roofline ${await version()}\n`, asNative('--version'))
})

test('a report is files, of which index.html is a whole page', async () => {
  const files = await report(network, { hw: 'kv260' })
  assert.match(new TextDecoder().decode(files.get('index.html')), /<html[^]*resnet50[^]*<\/html>/)
})

test('the command reads files and pipes, and its exit codes come through', () => {
  const command = join(process.cwd(), 'node_modules/.bin/roofline')
  const at = { cwd: join(examples, 'models'), encoding: 'utf8' }
  assert.equal(execFileSync(command, ['predict', 'resnet50.onnx', '--hw', 'kv260'], { ...at, stdio: ['ignore', 'pipe', 'ignore'] }),
    asNative('predict', 'resnet50.onnx', '--hw', 'kv260'))
  const folder = mkdtempSync(join(tmpdir(), 'roofline-'))
  assert.equal(spawnSync(command, ['predict', 'resnet50.onnx', '--hw', 'kv260', '-o', join(folder, 'p.json')], at).status, 0)
  assert.equal(readFileSync(join(folder, 'p.json'), 'utf8'), asNative('predict', 'resnet50.onnx', '--hw', 'kv260', '--format', 'json'))
  const log = readFileSync(join(examples, 'phone-tflite/benchmark_model.log'))
  const piped = spawnSync(command, ['import', '-'], { ...at, input: log })
  assert.equal(piped.status, 0)
  assert.match(piped.stdout, /roofline\.measured/)
  assert.equal(spawnSync(command, ['predict', 'no-such-file', '--hw', 'kv260'], at).status, 66)
  assert.equal(spawnSync('sh', ['-c', `"${command}" hw list | head -n 1`], at).stderr, '')
})

test('run gives what was written', async () => {
  const done = await run(['predict', 'net.onnx', '--hw', 'kv260', '-o', 'out.csv'], { files: { 'net.onnx': bytes } })
  assert.equal(done.exitCode, 0)
  assert.match(new TextDecoder().decode(done.files.get('out.csv')), /Conv_0/)
})
