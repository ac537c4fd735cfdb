const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const codes = LETTERS.flatMap((one) =>
  LETTERS.flatMap((two) => [one + two, ...LETTERS.map((three) => one + two + three)]),
)
/** Countries whose formats differ from those of their language elsewhere. */
const countries = 'AE AO AT AR BE CA CH CL CR DZ EG ES FR GB IN IQ IT LI LU MA MX NL PK PT TN US VE ZA'.split(' ')

/** Every language that this runtime knows, also with these countries' formats. Intl doesn't list them. */
export const everyLocale: readonly string[] = Intl.NumberFormat.supportedLocalesOf(codes).flatMap((language) => [
  language,
  ...countries
    .map((country) => `${new Intl.Locale(language).language}-${country}`)
    .filter((locale) => new Intl.NumberFormat(locale).resolvedOptions().locale === locale),
])
