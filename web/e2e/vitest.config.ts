import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 30_000,
    // One browser at a time: the walks share two cores with the server.
    fileParallelism: false,
    reporters: ['verbose'],
  },
})
