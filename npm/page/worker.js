// Runs the module, once for each request, in the order of requests. Joined behind wasi.mjs.
let compiled, drawer

async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

self.addEventListener('unhandledrejection', (event) => self.postMessage({ broken: String(event.reason) }))

self.onmessage = async ({ data }) => {
  if (data.module) {
    compiled = unpack(data.module).then((bytes) => WebAssembly.compile(bytes))
    await compiled
    self.postMessage({ ready: true })
    return
  }
  if (data.gnuplot) { // unpacked when a report is wanted
    drawer = { packed: data.gnuplot }
    return
  }
  const module = await compiled
  const files = new Map(data.files.map(([path, file]) => [path, file instanceof Blob ? blobSource(file) : file]))
  const begin = performance.now()
  try {
    let gnuplot
    if (drawer && data.args[0] === 'report') {
      drawer.module ??= unpack(drawer.packed).then((bytes) => WebAssembly.compile(bytes))
      const drawing = await drawer.module
      gnuplot = () => drawing
    }
    const done = run(module, { args: data.args, env: data.env, files, gnuplot })
    self.postMessage({
      id: data.id,
      exitCode: done.exitCode,
      stdout: new TextDecoder().decode(done.stdout),
      stderr: done.stderr,
      files: data.wanted ? [...done.files].filter(([path]) => path.startsWith(data.wanted)) : [],
      ms: performance.now() - begin,
    })
  } catch (error) {
    self.postMessage({ id: data.id, trap: String(error) })
  }
}
