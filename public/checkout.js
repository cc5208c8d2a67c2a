// What a merchant writes on the page: mount the form, and go on when it is paid.
const { publishableKey, clientSecret, locale, thanks, words } = JSON.parse(
  document.getElementById('checkout-data').content.textContent,
);
const note = document.getElementById('payment-note');

const say = (text) => {
  note.textContent = text;
  note.hidden = false;
};

if (window.CardForm) {
  const form = window.CardForm.mount('#card-form', { publishableKey, clientSecret, locale });

  form.on('result', ({ outcome }) => {
    // Replaced, so that Back does not lead to a payment that is done.
    if (outcome === 'succeeded') location.replace(thanks);
    else {
      say(words[outcome]);
      if (outcome === 'unknown') {
        const look = document.createElement('a');
        look.href = thanks;
        look.textContent = words.look;
        note.append(' ', look);
      }
    }
  });
} else {
  say(words.no_form);
}
