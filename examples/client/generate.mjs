// Writes types.ts from docs/openapi.json: the schemas that the client uses, and what they refer to.
// node generate.mjs            writes
// node generate.mjs --check    only says whether it is up to date
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOTS = ['NewTable', 'TableCreated', 'TableView', 'ActionRequest', 'Acknowledged', 'ErrorBody', 'gomoku.Hint']
const here = import.meta.dirname
const { schemas } = JSON.parse(readFileSync(join(here, '../../docs/openapi.json'), 'utf8')).components

const name = (key) => key.split('.').map((part) => part[0].toUpperCase() + part.slice(1)).join('')
const wanted = new Set()
const queue = [...ROOTS]

/** A schema as a TypeScript type. */
const type = (schema) => {
  if (schema === undefined || schema === true) return 'unknown'
  if (schema.$ref) {
    const key = schema.$ref.split('/').at(-1)
    queue.push(key)
    return name(key)
  }
  const choice = schema.oneOf ?? schema.anyOf
  if (choice) return choice.map(type).join(' | ')
  if (schema.allOf) return schema.allOf.map(type).join(' & ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const kinds = [schema.type].flat()
  return kinds.map((kind) => plain(kind, schema)).join(' | ')
}

const plain = (kind, schema) => {
  switch (kind) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return kind
    case 'array': {
      const items = type(schema.items)
      return items.includes(' ') ? `(${items})[]` : `${items}[]`
    }
    case 'object':
      return schema.properties ? `{ ${fields(schema).join('; ')} }` : 'Record<string, unknown>'
    default:
      return 'unknown'
  }
}

const fields = (schema) =>
  Object.entries(schema.properties).map(([key, value]) => {
    const optional = schema.required?.includes(key) ? '' : '?'
    return `${/^\w+$/.test(key) ? key : JSON.stringify(key)}${optional}: ${type(value)}`
  })

const parts = []
while (queue.length > 0) {
  const key = queue.shift()
  if (wanted.has(key)) continue
  wanted.add(key)
  const schema = schemas[key]
  if (!schema) throw new Error(`docs/openapi.json has no ${key}`)
  const about = schema.description ? `/** ${schema.description.replaceAll('\n', ' ')} */\n` : ''
  const body =
    schema.type === 'object' && schema.properties
      ? `export interface ${name(key)} {\n${fields(schema).map((line) => `  ${line}\n`).join('')}}\n`
      : `export type ${name(key)} = ${type(schema)}\n`
  parts.push(about + body)
}

const text = `// Made by generate.mjs from docs/openapi.json; do not change it by hand.\n\n${parts.join('\n')}`
const path = join(here, 'types.ts')
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error('examples/client/types.ts is older than docs/openapi.json: node examples/client/generate.mjs')
    process.exit(1)
  }
} else {
  writeFileSync(path, text)
}
