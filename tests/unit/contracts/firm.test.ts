import assert from 'node:assert/strict'
import { decimalsOf } from '../../../shared/fields/currency.ts'

/** Every currency that any Mint has accepted, by its decimals. */
const ACCEPTED = {
  0: ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  2: [
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF',
    'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG',
    'HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR',
    'MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD',
    'SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD',
    'XCG YER ZAR ZMW ZWG',
  ],
  3: ['BHD IQD JOD KWD LYD OMR TND'],
  4: ['CLF UYW'],
}

describe('The firm', () => {
  it('is billed with the decimals that ISO 4217 gives its currency, even where Intl differs', () => {
    const decimals = { '': 2, CAD: 2, JPY: 0, ISK: 0, KWD: 3, IQD: 3, CLF: 4, UYW: 4, HUF: 2, LAK: 2, MGA: 2, MRU: 2 }
    assert.deepEqual(Object.keys(decimals).map(decimalsOf), Object.values(decimals))
  })

  it('keeps its decimals for ever, even once its currency is withdrawn', () => {
    const known = Object.entries(ACCEPTED).flatMap(([decimals, lines]) =>
      lines.flatMap((line) => line.split(' ').map((code) => [code, Number(decimals)] as const)),
    )
    assert.deepEqual(
      known.map(([code]) => [code, decimalsOf(code)]),
      known,
    )
  })

  it('is not billed at all in a currency that only a newer Mint knows', () => {
    assert.throws(() => decimalsOf('QQQ'), /currency QQQ is unknown/)
  })
})
