import assert from 'node:assert/strict'
import { createClients } from '../support/clients.ts'
import { describeConsole } from '../support/console-browser.ts'
import { aNewContract, create } from '../support/rest.ts'

describeConsole('Proposals in the console', (running) => {
  const propose = async (change: object, reason = 'The hours were missing.') =>
    await create(running().call, '/proposals', { ...change, reason })
  const get = async (path: string) => (await running().call('GET', path)).body

  it('are counted in the navigation, listed, and accepted after showing fields and months before and after', async () => {
    const { call, open } = running()
    const [clientId] = await createClients(call, 'Listed Ltd.')
    const contract = aNewContract({ clientId, serviceDate: '2030-01-31', serviceFee: 100, taxPercent: 10 })
    const { id } = await create(call, '/contracts', contract)
    const proposal = await propose({ action: 'edit', contractId: id, version: 1, fields: { serviceFee: 120 } })
    const page = await open('#/proposals')
    await page.getByRole('link', { name: 'Proposals (1 to decide)' }).waitFor()
    await page.getByText(/^first, .+: The hours were missing\.$/).waitFor()
    const row = page.getByRole('row', { name: `Edit contract ${id}` })
    assert.match(await row.innerText(), new RegExp(`Listed Ltd\\.\\s+${contract.serviceName}`))
    await page.getByRole('link', { name: `Edit contract ${id}` }).click()
    await page.locator('.fields').getByRole('link', { name: 'Listed Ltd.' }).waitFor()
    const months = page.getByRole('table', { name: 'All contracts of the months that it touches' })
    await months.waitFor()
    assert.deepEqual(
      (await months.locator('tbody td, tbody th').allTextContents()).map((text) => text.trim()),
      ['January 2030', '1', '1', '110.00', '132.00'],
    )
    assert.match((await page.locator('.changes').textContent()) ?? '', /Service fee\s+100\.00\s*→to\s*120\.00/)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The proposal was accepted.').waitFor()
    await page.getByText('No proposal is waiting for a decision.').waitFor()
    assert.equal((await get(`/contracts/${id}`)).serviceFee, 120)
    assert.equal((await get(`/proposals/${proposal.id}`)).status, 'accepted')
    await page.goto(page.url().replace(/#.*/, `#/contracts/${id}`))
    await page.getByText('Proposed by first').waitFor()
    await page.getByRole('link', { name: 'Proposals', exact: true }).waitFor()
  })

  it('show amounts with all decimals, and clients by id, where a change would not be visible otherwise', async () => {
    const { call, open } = running()
    const [one, other] = await createClients(call, 'Twin Ltd.', 'Twin Ltd.')
    const { id } = await create(
      call,
      '/contracts',
      aNewContract({ clientId: one, serviceFee: 100.1234, taxPercent: 10 }),
    )
    const fields = { clientId: other, serviceFee: 100.1235 }
    const proposal = await propose({ action: 'edit', contractId: id, version: 1, fields })
    const page = await open(`#/proposals/${proposal.id}`)
    await page.locator('.fields').getByRole('link', { name: 'Twin Ltd.' }).waitFor()
    const changes = (await page.locator('.changes').textContent()) ?? ''
    assert.match(changes, /Service fee\s+100\.1234\s*→to\s*100\.1235/)
    assert.match(changes, /Total with tax\s+110\.13574\s*→to\s*110\.13585/)
    assert.match(changes, new RegExp(`Client\\s+${one}\\s*→to\\s*${other}`))
  })

  it('to create a contract link to it once they are accepted', async () => {
    const { call, open } = running()
    const { id } = await propose({ action: 'create', fields: aNewContract() })
    const page = await open(`#/proposals/${id}`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The proposal was accepted.').waitFor()
    await page.goBack()
    const { contractId } = (await call('GET', `/proposals/${id}`)).body
    await page.getByRole('link', { name: `Contract ${contractId}`, exact: true }).click()
    await page.getByRole('heading', { name: `Contract ${contractId}` }).waitFor()
  })

  it('are declined with a reason', async () => {
    const { id } = await propose({ action: 'create', fields: aNewContract() })
    const page = await running().open(`#/proposals/${id}`)
    await page.getByRole('heading', { name: 'New contract' }).waitFor()
    await page.getByLabel('Reason for declining').fill('Billed already.')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('The proposal was declined.').waitFor()
    const { status, declineReason } = await get(`/proposals/${id}`)
    assert.deepEqual([status, declineReason], ['declined', 'Billed already.'])
  })

  it('in a closed period require a reason to be accepted', async () => {
    const { call, open } = running()
    await call('PUT', '/closing', { closedThrough: '2020-12-31', reason: 'Filed.' })
    const { id } = await propose({ action: 'create', fields: aNewContract({ serviceDate: '2020-12-31' }) })
    const page = await open(`#/proposals/${id}`)
    await page.getByText('The books are closed through Dec 31, 2020.').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('alert').getByLabel('Reason for saving anyway').fill('A late invoice.')
    assert.equal((await get(`/proposals/${id}`)).status, 'open')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The proposal was accepted.').waitFor()
    const { contractId } = await get(`/proposals/${id}`)
    const [event] = (await get(`/contracts/${contractId}/history`)).events
    assert.equal(event.overrideReason, 'A late invoice.')
  })

  it('that another user has decided on in the meantime show the outcome', async () => {
    const { call, open } = running()
    const { id } = await propose({ action: 'create', fields: aNewContract() })
    const page = await open(`#/proposals/${id}`)
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    await call('POST', `/proposals/${id}/decline`, { reason: 'Not ours.' })
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('This proposal was declined: Not ours.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Accept' }).count(), 0)
  })
})
