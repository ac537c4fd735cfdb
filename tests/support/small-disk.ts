import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'

/** Registers a suite that needs small disks; where they can't be mounted, prints one line that it is skipped. */
export function describeWithSmallDisks(title: string, suite: (this: Mocha.Suite) => void): void {
  try {
    smallDisk(4).remove()
  } catch {
    console.log(`left out: ${title} (no small disks: run as root on Linux, where file systems can be mounted)`)
    return
  }
  describe(title, suite)
}

/**
 * An ext4 file system in a file, mounted through a loop device: unlike tmpfs it can become read-only while files are
 * open for writing. Throws when this machine, or this user, can't mount.
 */
export function smallDisk(megabytes: number) {
  const folder = temporaryFolder()
  const image = temporaryFolder()
  try {
    mount(image, folder, megabytes)
  } catch (error) {
    folder.remove()
    image.remove()
    throw error
  }
  const ballast = join(folder.path, 'ballast')
  return {
    path: folder.path,
    /** Writes until nothing more fits. */
    fill: () => fill(ballast),
    /** Deletes what `fill` wrote. */
    makeRoom: () => rmSync(ballast),
    /** Makes it read-only while files are open, as the kernel does with a failing file system. */
    failToReadOnly: () => run('mount', '-o', 'remount,abort', folder.path),
    /** Unmounts it; no file on it may be open. */
    remove() {
      run('umount', folder.path)
      folder.remove()
      image.remove()
    },
  }
}

/** A real file system of a few megabytes, which can be filled without harm. Needs root. */
export type SmallDisk = ReturnType<typeof smallDisk>

function mount(image: TemporaryFolder, folder: TemporaryFolder, megabytes: number): void {
  const file = join(image.path, 'disk')
  run('truncate', '-s', `${megabytes}M`, file)
  run('mkfs.ext4', '-q', '-m', '0', file)
  run('mount', '-o', 'loop', file, folder.path)
}

function fill(file: string): void {
  for (let size = 1024 * 1024; size >= 1024; size /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

function run(program: string, ...options: string[]): void {
  execFileSync(program, options, {
    stdio: 'pipe',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
}
