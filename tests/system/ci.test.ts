import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { assertNone } from '../support/assert-none.ts'
import { startCi } from '../support/ci-with-stand-ins.ts'
import { describeOn } from '../support/engines.ts'
import { newFolder } from '../support/temporary-folder.ts'

const linux = process.platform === 'linux' ? { url: '' } : { missing: 'no Linux' }

describeOn(linux, '.ci/run', () => {
  const run = (options: Parameters<typeof startCi>[1]) => startCi(newFolder(), options).ended()

  it('runs all suites, those with engines in a separate run, and stops the engines it started', async () => {
    const { status, lastLine, output, called } = await run({})
    assert.match(lastLine, /^\d+ passed, 0 failed, 0 skipped$/, output)
    assert.equal(status, 0)
    const suites = ['hostile', 'console', 'secured', 'docker'].map((name) => `npm run --silent test:${name}`)
    const mocha = ['--grep @engines --parallel --jobs 2 tests/engine.test.ts', 'tests/torture/torture.test.ts'].map(
      (one) => `npx mocha ${one}`,
    )
    const alone = ['npm test -- --jobs 3', 'npm run --silent test:system -- --jobs 2']
    for (const command of [...alone, ...mocha, ...suites, 'engines down']) {
      assert.equal(called.filter((one) => one === command).length, 1, command)
    }
  })

  it('runs every test file with one of its commands', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    const run = ['test', 'test:system', 'test:hostile', 'test:console', 'test:docker'].flatMap((name) => {
      const patterns = [...(scripts[name] ?? '').matchAll(/(--ignore )?'(tests\/[^']*)'/g)]
      const [ignored, found] = ['--ignore ', undefined].map((option) =>
        patterns.filter((one) => one[1] === option).map(([, , pattern = '']) => pattern),
      )
      return globSync(found ?? [], { exclude: ignored })
    })
    assert.ok(run.length > 100, 'the files were found')
    assertNone(globSync('tests/**/*.test.ts').filter((file) => !run.includes(file)))
  })

  it('fails on a failed check, a failed or missing test, and a crash, in any lane', async () => {
    const { status, lastLine, output } = await run({
      behaviour: {
        'npm run --silent check:types': 'echo "error TS2322"; exit 2',
        // Mocha's worker crashes, or the file can't be loaded.
        'npm test*': 'echo "  2 passing"; echo "SyntaxError"; exit 7',
        'npx mocha --grep @engines*': 'echo "  2 passing"; echo "  3 failing"; echo "  1) loses a record"; exit 3',
        'npx mocha tests/torture*': 'echo "  2 passing"; echo "  1 failing"; echo "  1) refuses, and writes"; exit 1',
        'npm run --silent test:secured': 'echo "  0 passing"',
        'npm run --silent test:hostile': 'echo "  2 passing"; echo "  1 pending"',
        'npm run --silent test:console': 'echo "  2 passing"; echo "Warning: Cannot find any files matching pattern"',
        'docker-images': 'exit 1',
      },
    })
    assert.match(lastLine, /^\d+ passed, 10 failed, 1 skipped$/, output)
    assert.equal(status, 1)
    const summary = output.slice(output.search(/^── .*: FAILED(, .*)?$/m))
    const reasons = [
      'error TS2322',
      'SyntaxError',
      'loses a record',
      'refuses, and',
      '1 pending',
      'Cannot find any files',
    ]
    assert.deepEqual(
      reasons.filter((reason) => !summary.includes(reason)),
      [],
    )
  })

  it('fails if a suite is left out of every run', async () => {
    const leftOut = 'echo "left out: topic, Kafka (no Kafka)"; echo "left out: views, MongoDB (no MongoDB)"'
    const { status, lastLine, output } = await run({
      behaviour: {
        'npm test*': `${leftOut}; echo "  2 passing"`,
        'npm run --silent test:secured': 'echo "  views, MongoDB"; echo "  2 passing"',
      },
    })
    assert.match(lastLine, / 1 failed, 0 skipped$/, output)
    assert.equal(status, 1)
    assert.match(output, /── Left out of every run: FAILED\ntopic, Kafka \(no Kafka\)\n/)
  })

  it('fails if a lane is killed, and repeats what its step had printed', async () => {
    const { status, lastLine, output } = await run({
      behaviour: { 'npm test*': 'echo "as far as this"; kill -9 $PPID' },
    })
    assert.match(lastLine, / 2 failed, 0 skipped$/, output)
    assert.equal(status, 1)
    assert.match(output, /── npm test: FAILED, as it was broken off\nas far as this\n/)
  })

  it('continues without the kit, and lists what it left out', async () => {
    const { status, lastLine, output, called } = await run({
      kit: false,
      behaviour: { 'docker*': 'exit 1', 'npm test*': 'echo "left out: topic, Kafka (no Kafka)"; echo "  2 passing"' },
    })
    // The secured engines, containers, and the suite.
    assert.match(lastLine, /^\d+ passed, 0 failed, 3 skipped$/, output)
    assert.equal(status, 0)
    assert.match(output, /── 1 suites left out \(no Kafka\)/)
    assert.ok(called.includes('npm test -- --jobs 1'))
  })

  it('stops its lanes and its engines when it is interrupted', async () => {
    const ci = startCi(newFolder(), { behaviour: { 'npm test*': 'exec sleep 1000' } })
    await ci.hasCalled('npm test -- --jobs 3')
    ci.interrupt()
    const { status, called } = await ci.ended()
    assert.equal(status, 130)
    assert.ok(called.includes('engines down'))
  })
})
