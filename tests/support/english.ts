// The console's texts and numbers follow the locale, which in Node is the machine's. Tests expect English.
Object.defineProperty(navigator, 'languages', { value: ['en-US'] })
