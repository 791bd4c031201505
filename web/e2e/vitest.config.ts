import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 30_000,
    // Two browsers at a time: tests mostly wait, and share two cores with the server.
    maxWorkers: 2,
    // A browser on a busy machine may stall: a failed test runs once more, and the report says so.
    retry: 1,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['verbose'],
  },
})
