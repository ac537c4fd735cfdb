// Shows the document and sends requests, to this Mint only. The key stays in the page and is gone when you leave it.
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Otherwise the document is sent to a validator on the internet.
  validatorUrl: null,
})
