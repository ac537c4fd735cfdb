// The console's texts and figures follow the language, in Node that of the machine. Tests expect English.
Object.defineProperty(navigator, 'languages', { value: ['en-US'] })
