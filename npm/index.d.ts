
/** Bytes, or in node also a path. */
export type Content = Uint8Array | ArrayBuffer | Blob
export type Files = Map<string, Content> | Record<string, Content>

/** The long options of the command, as docs/roofline.1 has them: `dataType` is `--data-type`. */
export interface Options {
  hw?: string | string[]
  batch?: number
  dtype?: string
  phase?: 'prefill' | 'decode' | 'both'
  context?: number | string
  /** The name of the file, where bytes have none. */
  name?: string
  /** Files that lie beside it. */
  files?: Files
  [option: string]: unknown
}

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
  files: Map<string, Uint8Array>
}

export class RooflineError extends Error {
  readonly exitCode: number
}

export function run(args: string[], options?: { files?: Files; stdin?: Uint8Array; env?: Record<string, string> }): Promise<Ran>
export function predict(models: Content | string, options?: Options): Promise<Prediction | Predictions | Curve>
export function predict(models: Array<Content | string>, options?: Options): Promise<Predictions>
export function reconcile(profiles: Content | string | Array<Content | string>, options?: Options): Promise<Reconciliation>
export function inspect(model: Content | string, options?: Options): Promise<Inspection>
export function report(inputs: Content | string | Array<Content | string>, options?: Options): Promise<Map<string, Uint8Array>>
export function boards(): Promise<Array<{ id: string; name: string; family: string; aliases: string; summary: string }>>
export function version(): Promise<string>
