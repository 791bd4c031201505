/** Turns a settings schema (JSON Schema with `$defs`) into form fields. */

import type { FieldHint } from '../boards/types'

export type Field =
  | { field: string; kind: 'choice'; choices: (string | number | boolean)[] }
  | { field: string; kind: 'flag' }
  | { field: string; kind: 'number'; min?: number; max?: number }
  | { field: string; kind: 'text' }
  | { field: string; kind: 'own'; editor: NonNullable<FieldHint['editor']> }

interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  minimum?: number
  maximum?: number
}

/** Form fields in schema order; lists and objects are left out. */
export function fieldsOf(root: unknown, defaults: Record<string, unknown>, hints: FieldHint[] = []): Field[] {
  const top = (root ?? {}) as Schema
  const resolve = (schema: Schema | undefined): Schema => {
    let current = schema ?? {}
    for (let depth = 0; depth < 8; depth++) {
      if (current.$ref) current = top.$defs?.[current.$ref.split('/').pop()!] ?? {}
      else if (current.allOf?.length === 1) current = current.allOf[0]!
      else if (current.anyOf || (current.oneOf && !constants(current.oneOf))) {
        const real = (current.anyOf ?? current.oneOf)!.filter((option) => option.type !== 'null')
        if (real.length !== 1) return current
        current = real[0]!
      } else return current
    }
    return current
  }
  const properties = top.properties ?? {}
  const order = [...new Set([...Object.keys(properties), ...Object.keys(defaults)])]
  return order.flatMap((field): Field[] => {
    const hint = hints.find((hint) => hint.field === field)
    if (hint?.hidden) return []
    if (hint?.editor) return [{ field, kind: 'own', editor: hint.editor }]
    if (hint?.choices) return [{ field, kind: 'choice', choices: hint.choices }]
    const schema = resolve(properties[field])
    const choices = schema.enum ?? constants(schema.oneOf)
    if (choices) {
      return [{ field, kind: 'choice', choices: choices.filter((choice) => choice !== null) as string[] }]
    }
    const types = [schema.type ?? typeof defaults[field]].flat()
    if (types.includes('boolean')) return [{ field, kind: 'flag' }]
    if (types.includes('integer') || types.includes('number')) {
      return [{ field, kind: 'number', min: schema.minimum, max: schema.maximum }]
    }
    if (types.includes('string')) return [{ field, kind: 'text' }]
    return []
  })
}

/** Values of a `oneOf` of constants, the shape of enums with documented variants. */
function constants(options: Schema[] | undefined): unknown[] | null {
  if (!options) return null
  const values = options.map((option) => option.const ?? (option.enum?.length === 1 ? option.enum[0] : undefined))
  return values.every((value) => value !== undefined) ? values : null
}
