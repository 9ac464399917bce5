/** Final sentences that several reminders share. */

export const ignoreIfUnfit = "If this does not apply, ignore it."
export const keepToYourself = "Do not mention this to the user."
