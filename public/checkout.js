// The merchant's code on the checkout page: mount the form, and leave the page when the payment has succeeded.
const { publishableKey, clientSecret, defaultValues, locale, thanks, texts } = JSON.parse(
  document.getElementById('checkout-data').content.textContent,
);
const note = document.getElementById('payment-note');

const showNote = (text) => {
  note.textContent = text;
  note.hidden = false;
};

/** Asks the shop's server for addresses that fit what was typed so far. */
const addressLookup = async ({ query, country, signal }) => {
  const response = await fetch(`/addresses?${new URLSearchParams({ query, country })}`, { signal });
  return response.json();
};

if (window.CardForm) {
  const form = window.CardForm.mount('#card-form', {
    publishableKey,
    clientSecret,
    defaultValues,
    locale,
    addressLookup,
  });

  form.on('result', ({ outcome }) => {
    // `replace`, so that the Back button does not return to a finished payment.
    if (outcome === 'succeeded') location.replace(thanks);
    else {
      showNote(texts[outcome]);
      if (outcome === 'unknown') {
        const link = document.createElement('a');
        link.href = thanks;
        link.textContent = texts.look;
        note.append(' ', link);
      }
    }
  });
} else {
  showNote(texts.no_form);
}
