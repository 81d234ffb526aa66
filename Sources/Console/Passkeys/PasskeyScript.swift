/// The script of pages on which a passkey is made or used: browsers offer both to scripts alone. Its forms are sent like
/// others.
enum PasskeyScript {
    static let text: StaticString = """
        "use strict";
        (() => {
        if (!window.PublicKeyCredential || !navigator.credentials) return;
        const bytes = (text) => Uint8Array.from(
          atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
        const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
        const make = (asked) => navigator.credentials.create({ publicKey: {
          challenge: bytes(asked.challenge), rp: { id: asked.host, name: "Waymark" },
          user: { id: bytes(asked.user.id), name: asked.user.name, displayName: asked.user.name },
          pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
          excludeCredentials: asked.known.map((id) => ({ type: "public-key", id: bytes(id) })),
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
          attestation: "none", timeout: asked.seconds * 1000,
        } });
        const use = (asked) => navigator.credentials.get({ publicKey: {
          challenge: bytes(asked.challenge), rpId: asked.host, userVerification: "required",
          timeout: asked.seconds * 1000,
        } });
        for (const form of document.querySelectorAll("form[data-passkey]")) {
          const status = form.querySelector("[role=status]");
          form.hidden = false;
          form.addEventListener("submit", async (event) => {
            event.preventDefault();
            status.textContent = "";
            document.querySelector(".success,.errors")?.remove();
            try {
              const answer = await fetch(form.dataset.challenge, { method: "POST" });
              if (!answer.ok) throw new Error(answer.status);
              const asked = await answer.json();
              const made = await (form.dataset.passkey === "make" ? make : use)(asked);
              const fields = { id: made.rawId, client: made.response.clientDataJSON,
                attestation: made.response.attestationObject, data: made.response.authenticatorData,
                signature: made.response.signature, user: made.response.userHandle };
              for (const [name, value] of Object.entries(fields)) {
                if (form.elements[name]) form.elements[name].value = value ? text(value) : "";
              }
              form.submit();
            } catch (error) {
              status.textContent = error.name === "InvalidStateError"
                ? form.dataset.known : form.dataset.failed;
            }
          });
        }
        })();

        """
}
