// What every peer returns: the same fields as Mint, computed the way most people would, in binary floats.
export interface NewContract {
  clientId: string
  serviceName: string
  serviceType: string
  serviceFee: number
  taxPercent?: number
  notes?: string
}

export function contractOf(body: NewContract) {
  const { clientId, serviceName, serviceType, serviceFee, taxPercent = 0, notes = '' } = body
  const now = new Date().toISOString()
  const totalFeeWithTax = serviceFee * (1 + taxPercent / 100)
  const serviceDate = `${now.slice(0, 10)}T00:00:00.000Z`
  const named = { clientId, serviceName, serviceType, serviceFee, taxPercent, totalFeeWithTax }
  return { ...named, serviceDate, notes, createdAt: now, updatedAt: now }
}
