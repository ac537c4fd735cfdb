import { type WatchedFiles, type WatchedFilesOptions, watchFiles } from './watch-files.ts'

/** Watches files as `watchFiles` does; where no file is named, what is made of none stays. */
export async function followFiles<Value>(options: WatchedFilesOptions<Value>): Promise<WatchedFiles<Value>> {
  if (Object.keys(options.files).length > 0) return await watchFiles(options)
  const value = await options.prove({})
  return { current: () => value, onChange: () => undefined, stop: async () => undefined }
}
