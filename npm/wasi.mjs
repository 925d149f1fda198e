// The system of a module: WASI preview 1 over files in memory. It reaches nothing outside: no disk, no network, no
// process. A file is bytes, or something with a size that is asked for the bytes at a place, such as a File that a
// page was given, of which only what is looked at is read.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOSYS = 52, NOTDIR = 54, NOTEMPTY = 55, ROFS = 69
const UNKNOWN = 0, CHARACTERS = 2, FOLDER = 3, FILE = 4
const CREATE = 1, WANTS_FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8
const ALL_RIGHTS = 0x1fffffffn

let inodes = 1n

class MemoryFile {
  constructor(bytes = new Uint8Array(0)) {
    this.bytes = bytes
    this.size = bytes.length
    this.inode = inodes++
  }
  read(at, into) {
    const part = this.bytes.subarray(at, Math.min(this.size, at + into.length))
    into.set(part)
    return part.length
  }
  resize(size) {
    if (size > this.bytes.length) {
      const room = new Uint8Array(Math.max(size, 2 * this.bytes.length, 4096))
      room.set(this.bytes.subarray(0, this.size))
      this.bytes = room
    } else if (size < this.size) {
      this.bytes.fill(0, size, this.size)
    }
    this.size = size
  }
  write(at, from) {
    if (at + from.length > this.size) this.resize(at + from.length)
    this.bytes.set(from, at)
    return from.length
  }
  content() {
    return this.bytes.subarray(0, this.size)
  }
}

// Bytes that somebody else has: {size, read(at, into)}.
class ForeignFile {
  constructor(source) {
    this.source = source
    this.size = source.size
    this.inode = inodes++
  }
  read(at, into) {
    return this.source.read(at, into)
  }
}

class Folder {
  constructor() {
    this.entries = new Map()
    this.inode = inodes++
  }
}

// A Blob or File, read as it is asked for. Only workers may wait for one.
export function blobSource(blob) {
  const reader = new FileReaderSync()
  return {
    size: blob.size,
    read(at, into) {
      const part = new Uint8Array(reader.readAsArrayBuffer(blob.slice(at, at + into.length)))
      into.set(part)
      return part.length
    },
  }
}

// Runs gnuplot as it is asked through /dev/gnuplot: the folder to run in and the arguments are written in one call, each
// with a NUL behind it; then "0" is read, or "1" where it failed, and what it said. folderAt: path -> tree of files.
export function draw(module, request, folderAt) {
  const [path, ...args] = decoder.decode(request).split('\0').slice(0, -1)
  const folder = folderAt(path)
  const done = folder ? execute(module, { words: ['gnuplot', ...args], root: folder }) : { exitCode: 1, stderr: 'no folder' }
  return encoder.encode(`${done.exitCode ? 1 : 0}${done.stderr}`)
}

class Gnuplot {
  constructor(root, load) {
    this.root = root
    this.load = load
    this.inode = inodes++
    this.size = 0
  }
  write(at, from) {
    const names = (path) => path.split('/').filter((n) => n && n !== '.')
    this.said = draw(this.load(), from, (path) => names(path).reduce((folder, name) => folder?.entries?.get(name), this.root))
    this.at = 0
    return from.length
  }
  read(at, into) { // the place in the file counts what was written as well
    const part = this.said?.subarray(this.at, this.at + into.length) ?? new Uint8Array(0)
    into.set(part)
    this.at += part.length
    return part.length
  }
}

class Exit {
  constructor(code) {
    this.code = code
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function fileOf(content) {
  if (typeof content === 'string') return new MemoryFile(encoder.encode(content))
  if (content instanceof Uint8Array) return new MemoryFile(content)
  return new ForeignFile(content)
}

function folderFor(root, path) {
  let at = root
  const names = path.split('/').filter((n) => n && n !== '.')
  const name = names.pop()
  for (const folder of names) {
    if (!at.entries.has(folder)) at.entries.set(folder, new Folder())
    at = at.entries.get(folder)
  }
  return [at, name]
}

// A tree of files: path -> bytes, text or source; and what is in one, without sources.
export function treeOf(files, root = new Folder()) {
  for (const [path, content] of files) {
    const [folder, name] = folderFor(root, path)
    folder.entries.set(name, fileOf(content))
  }
  return root
}
export const filesOf = (root) => collect(root, '', new Map())

function collect(folder, prefix, out) {
  for (const [name, node] of folder.entries)
    if (node instanceof Folder) collect(node, `${prefix}${name}/`, out)
    else if (node instanceof MemoryFile) out.set(prefix + name, node.content())
  return out
}

// Runs the module once: {exitCode, stdout, stderr, files}. files: path -> bytes, text or source; what is there afterwards
// comes back, without sources. Paths are relative to the folder that the run stands in. gnuplot: gives the module that
// draws, when it is needed; none is drawn without it.
export function run(module, { args = [], env = {}, files = new Map(), stdin, gnuplot } = {}) {
  const here = '/w'
  const root = new Folder()
  const work = new Folder()
  root.entries.set('w', work)
  for (const [path, content] of files) treeOf([[path, content]], path.startsWith('/') ? root : work)
  if (gnuplot) {
    const [devices, name] = folderFor(root, 'dev/gnuplot')
    devices.entries.set(name, new Gnuplot(root, gnuplot))
  }
  const done = execute(module, { words: ['roofline', ...args], settings: { LANG: 'C.UTF-8', PWD: here, ...env }, root, stdin })
  return { ...done, files: filesOf(work) }
}

// A module over a tree of files in memory, until it ends: {exitCode, stdout, stderr}.
function execute(module, { words: spoken, settings: named = {}, root, stdin = new Uint8Array(0) }) {
  const outputs = [null, new MemoryFile(), new MemoryFile()]
  const open = [
    { node: new MemoryFile(stdin), at: 0, kind: UNKNOWN },
    { node: outputs[1], at: 0, kind: UNKNOWN },
    { node: outputs[2], at: 0, kind: UNKNOWN },
    { node: root, kind: FOLDER, preopened: '/' },
  ]
  const words = spoken.map((w) => encoder.encode(`${w}\0`))
  const settings = Object.entries(named).map(([k, v]) => encoder.encode(`${k}=${v}\0`))
  let memory
  const view = () => new DataView(memory.buffer)
  const bytes = (at, n) => new Uint8Array(memory.buffer, at, n)
  const text = (at, n) => decoder.decode(bytes(at, n))

  // The folder that the last name of a path is in, and that name; '' is the folder itself.
  function find(fd, path) {
    let trail = [open[fd]?.node]
    if (!(trail[0] instanceof Folder)) return { errno: BADF }
    const names = path.split('/').filter((n) => n && n !== '.')
    for (let i = 0; i < names.length - 1; i++) {
      if (names[i] === '..') {
        if (trail.length > 1) trail.pop()
        continue
      }
      const next = trail.at(-1).entries.get(names[i])
      if (!next) return { errno: NOENT }
      if (!(next instanceof Folder)) return { errno: NOTDIR }
      trail.push(next)
    }
    let name = names.at(-1) ?? ''
    if (name === '..') {
      if (trail.length > 1) trail.pop()
      name = ''
    }
    const folder = trail.at(-1)
    return { folder, name, node: name ? folder.entries.get(name) : folder, errno: OK }
  }
  function putStat(at, node, kind) {
    const v = view()
    v.setBigUint64(at, 1n, true)
    v.setBigUint64(at + 8, node.inode, true)
    v.setUint8(at + 16, kind)
    v.setBigUint64(at + 24, 1n, true)
    v.setBigUint64(at + 32, BigInt(node.size ?? 0), true)
    for (const time of [40, 48, 56]) v.setBigUint64(at + time, 0n, true)
    return OK
  }
  const kindOf = (node) => (node instanceof Folder ? FOLDER : FILE)
  function putList(list, pointers, room) {
    for (const one of list) {
      view().setUint32(pointers, room, true)
      bytes(room, one.length).set(one)
      pointers += 4
      room += one.length
    }
    return OK
  }
  function putSizes(list, n, size) {
    view().setUint32(n, list.length, true)
    view().setUint32(size, list.reduce((sum, one) => sum + one.length, 0), true)
    return OK
  }
  // Each of the pieces of memory in turn, until one is not filled.
  function eachPiece(list, n, total, move) {
    let all = 0
    for (let i = 0; i < n; i++) {
      const at = view().getUint32(list + 8 * i, true), length = view().getUint32(list + 8 * i + 4, true)
      const moved = move(bytes(at, length), all)
      all += moved
      if (moved < length) break
    }
    view().setUint32(total, all, true)
    return OK
  }
  const asFile = (fd) => (open[fd] && !(open[fd].node instanceof Folder) ? open[fd] : null)

  const calls = {
    args_sizes_get: (n, size) => putSizes(words, n, size),
    args_get: (pointers, room) => putList(words, pointers, room),
    environ_sizes_get: (n, size) => putSizes(settings, n, size),
    environ_get: (pointers, room) => putList(settings, pointers, room),
    clock_res_get: (id, out) => (view().setBigUint64(out, 1000000n, true), OK),
    clock_time_get(id, precision, out) {
      const ms = id === 0 ? Date.now() : performance.now()
      view().setBigUint64(out, BigInt(Math.round(ms * 1e6)), true)
      return OK
    },
    fd_advise: () => OK,
    fd_sync: () => OK,
    fd_datasync: () => OK,
    fd_fdstat_set_flags: () => OK,
    sched_yield: () => OK,
    random_get: (at, n) => (crypto.getRandomValues(bytes(at, n)), OK),
    proc_exit(code) {
      throw new Exit(code)
    },
    fd_prestat_get(fd, out) {
      if (open[fd]?.preopened === undefined) return BADF
      view().setUint8(out, 0)
      view().setUint32(out + 4, open[fd].preopened.length, true)
      return OK
    },
    fd_prestat_dir_name(fd, at, n) {
      if (open[fd]?.preopened === undefined) return BADF
      bytes(at, n).set(encoder.encode(open[fd].preopened).subarray(0, n))
      return OK
    },
    fd_close(fd) {
      if (!open[fd]) return BADF
      open[fd] = undefined
      return OK
    },
    fd_fdstat_get(fd, out) {
      if (!open[fd]) return BADF
      view().setUint8(out, open[fd].kind)
      view().setUint16(out + 2, 0, true)
      view().setBigUint64(out + 8, ALL_RIGHTS, true)
      view().setBigUint64(out + 16, ALL_RIGHTS, true)
      return OK
    },
    fd_filestat_get: (fd, out) => (open[fd] ? putStat(out, open[fd].node, open[fd].kind) : BADF),
    fd_filestat_set_size(fd, size) {
      const file = asFile(fd)
      if (!file) return BADF
      if (!(file.node instanceof MemoryFile)) return ROFS
      file.node.resize(Number(size))
      return OK
    },
    fd_seek(fd, offset, whence, out) {
      const file = asFile(fd)
      if (!file) return BADF
      if (file.kind === UNKNOWN) return 70 // a pipe
      const from = whence === 0 ? 0 : whence === 1 ? file.at : file.node.size
      file.at = from + Number(offset)
      view().setBigUint64(out, BigInt(file.at), true)
      return OK
    },
    fd_tell(fd, out) {
      const file = asFile(fd)
      if (!file) return BADF
      view().setBigUint64(out, BigInt(file.at), true)
      return OK
    },
    fd_read(fd, list, n, total) {
      const file = asFile(fd)
      if (!file) return open[fd] ? ISDIR : BADF
      return eachPiece(list, n, total, (into) => {
        const got = file.node.read(file.at, into)
        file.at += got
        return got
      })
    },
    fd_pread(fd, list, n, offset, total) {
      const file = asFile(fd)
      if (!file) return BADF
      return eachPiece(list, n, total, (into, before) => file.node.read(Number(offset) + before, into))
    },
    fd_write(fd, list, n, total) {
      const file = asFile(fd)
      if (!file) return BADF
      if (!file.node.write) return ROFS
      return eachPiece(list, n, total, (from) => {
        if (file.appends) file.at = file.node.size
        file.at += file.node.write(file.at, from)
        return from.length
      })
    },
    fd_pwrite(fd, list, n, offset, total) {
      const file = asFile(fd)
      if (!file) return BADF
      if (!(file.node instanceof MemoryFile)) return ROFS
      return eachPiece(list, n, total, (from, before) => file.node.write(Number(offset) + before, from))
    },
    // A cookie is how many names came before, of those that were there when the folder was first read.
    fd_readdir(fd, at, room, cookie, used) {
      const folder = open[fd]
      if (!(folder?.node instanceof Folder)) return BADF
      if (cookie === 0n) folder.names = [...folder.node.entries.keys()]
      let filled = 0
      for (let i = Number(cookie); i < folder.names.length && filled < room; i++) {
        const name = encoder.encode(folder.names[i]), node = folder.node.entries.get(folder.names[i])
        if (!node) continue
        const entry = new Uint8Array(24 + name.length), v = new DataView(entry.buffer)
        v.setBigUint64(0, BigInt(i + 1), true)
        v.setBigUint64(8, node.inode, true)
        v.setUint32(16, name.length, true)
        v.setUint8(20, kindOf(node))
        entry.set(name, 24)
        const part = entry.subarray(0, room - filled)
        bytes(at + filled, part.length).set(part)
        filled += part.length
      }
      view().setUint32(used, filled, true)
      return OK
    },
    path_filestat_get(fd, flags, path, n, out) {
      const { errno, node } = find(fd, text(path, n))
      return errno || (node ? putStat(out, node, kindOf(node)) : NOENT)
    },
    path_open(fd, follows, path, n, flags, rights, inherited, fdflags, out) {
      const place = find(fd, text(path, n))
      let { errno, node } = place
      if (errno) return errno
      if (node && flags & CREATE && flags & EXCLUSIVE) return EXIST
      if (!node && !(flags & CREATE)) return NOENT
      if (node && flags & WANTS_FOLDER && !(node instanceof Folder)) return NOTDIR
      const writes = (rights & 64n) !== 0n // fd_write
      if (node instanceof Folder && writes && !(flags & WANTS_FOLDER)) return ISDIR
      if (!node) {
        node = new MemoryFile()
        place.folder.entries.set(place.name, node)
      }
      if (flags & TRUNCATE) {
        if (!(node instanceof MemoryFile)) return ROFS
        node.resize(0)
      }
      let number = 4
      while (open[number]) number++
      open[number] = { node, at: 0, kind: kindOf(node), appends: (fdflags & 1) !== 0 }
      view().setUint32(out, number, true)
      return OK
    },
    path_create_directory(fd, path, n) {
      const { errno, folder, name, node } = find(fd, text(path, n))
      if (errno) return errno
      if (node) return EXIST
      folder.entries.set(name, new Folder())
      return OK
    },
    path_remove_directory(fd, path, n) {
      const { errno, folder, name, node } = find(fd, text(path, n))
      if (errno) return errno
      if (!node) return NOENT
      if (!(node instanceof Folder)) return NOTDIR
      if (node.entries.size) return NOTEMPTY
      folder.entries.delete(name)
      return OK
    },
    path_unlink_file(fd, path, n) {
      const { errno, folder, name, node } = find(fd, text(path, n))
      if (errno) return errno
      if (!node) return NOENT
      if (node instanceof Folder) return ISDIR
      folder.entries.delete(name)
      return OK
    },
    path_rename(fd, path, n, toFd, to, toN) {
      const from = find(fd, text(path, n)), goal = find(toFd, text(to, toN))
      if (from.errno || goal.errno) return from.errno || goal.errno
      if (!from.node) return NOENT
      if (goal.node instanceof Folder && goal.node.entries.size) return NOTEMPTY
      from.folder.entries.delete(from.name)
      goal.folder.entries.set(goal.name, from.node)
      return OK
    },
    path_link(fd, flags, path, n, toFd, to, toN) {
      const from = find(fd, text(path, n)), goal = find(toFd, text(to, toN))
      if (from.errno || goal.errno) return from.errno || goal.errno
      if (!from.node) return NOENT
      if (goal.node) return EXIST
      goal.folder.entries.set(goal.name, from.node)
      return OK
    },
    path_readlink(fd, path, n) {
      const { errno, node } = find(fd, text(path, n))
      return errno || (node ? INVAL : NOENT)
    },
    path_filestat_set_times: () => OK,
    fd_filestat_set_times: () => OK,
    poll_oneoff(list, out, n, total) {
      view().setUint32(total, n, true)
      return OK
    },
  }
  const imports = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = calls[name] ?? (() => NOSYS)
  const instance = new WebAssembly.Instance(module, imports)
  memory = instance.exports.memory
  let exitCode = 0
  try {
    instance.exports._start()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    exitCode = error.code
  }
  return { exitCode, stdout: outputs[1].content(), stderr: decoder.decode(outputs[2].content()) }
}
