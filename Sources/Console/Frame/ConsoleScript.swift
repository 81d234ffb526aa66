/// The script of the console: live checks, copying and keys. Nothing needs it.
enum ConsoleScript {
    static let text: StaticString = """
        "use strict";
        (() => {
        const all = (s, r = document) => [...r.querySelectorAll(s)];
        const body = document.body, base = body.dataset.base;
        // The keys that lead to a field of another page.
        if (["#q", "#destination"].includes(location.hash)) document.getElementById(location.hash.slice(1))?.focus();
        const said = document.createElement("p");
        said.className = "unseen";
        said.setAttribute("role", "status");
        document.getElementById("main").append(said);
        const menu = document.querySelector("details.person");
        if (menu) document.addEventListener("click", (event) => {
          if (!menu.contains(event.target)) menu.open = false;
        });
        if (!("still" in body.dataset)) {
          (document.getElementById("errors") ?? document.querySelector("main [role][tabindex='-1']"))?.focus();
        }
        for (const button of all("button[data-copy]")) {
          if (!navigator.clipboard) break;
          button.hidden = false;
          const words = button.textContent;
          button.addEventListener("click", async () => {
            const from = document.getElementById(button.dataset.copy);
            try {
              await navigator.clipboard.writeText(from.querySelector("a")?.href ?? from.textContent);
            } catch {
              return getSelection().selectAllChildren(from);
            }
            said.textContent = button.textContent = button.dataset.done;
            setTimeout(() => { button.textContent = words; }, 2000);
          });
        }
        for (const form of all("form[data-pairs]")) {
          // What the server does not count together.
          const kinds = { day: 1, hour: 1, collection: 2, tag: 2, campaign: 2, link: 2 };
          const notOfCountries = ["hour", "platform", "outcome"];
          const { by, and } = form.elements;
          const show = () => {
            for (const option of and.options) {
              const pair = [option.value, by.value];
              const [own, other] = pair;
              option.disabled = own === other || own in kinds && kinds[own] === kinds[other]
                || pair.includes("country") && pair.some((one) => notOfCountries.includes(one));
            }
          };
          by.addEventListener("change", () => {
            show();
            if (and.selectedOptions[0]?.disabled) and.value = "";
          });
          show();
        }
        for (const form of all("form.list")) {
          const bulk = form.querySelector(".bulk"), count = bulk.querySelector("output");
          const show = () => {
            const chosen = all("input[name=id]:checked", form).length;
            count.textContent = chosen ? ` (${chosen})` : "";
            if (chosen) bulk.open = true;
          };
          form.addEventListener("change", show);
          const pick = form.querySelector("button.all"), boxes = all("input[name=id]", form);
          pick.hidden = false;
          pick.addEventListener("click", () => {
            const isChosen = boxes.some((box) => !box.checked);
            for (const box of boxes) box.checked = isChosen;
            show();
          });
          show();
        }
        const store = {
          get() { try { return localStorage.getItem("waymark-keys"); } catch { return null; } },
          set(v) { try { localStorage.setItem("waymark-keys", v); } catch {} },
        };
        for (const button of all("button.keys")) {
          const show = () => {
            button.textContent = store.get() === "off" ? button.dataset.on : button.dataset.off;
          };
          button.hidden = false;
          show();
          button.addEventListener("click", () => { store.set(store.get() === "off" ? "on" : "off"); show(); });
        }
        // The link of the list to which an arrow leads. At its ends, and where something else has the focus, the page scrolls.
        const step = (event) => {
          const way = { ArrowDown: 1, ArrowUp: -1 }[event.key], from = event.target;
          if (!way || event.shiftKey || from !== body && from.id !== "main" && !from.closest("table.links")) return null;
          const names = all("table.links tbody a.name");
          const now = names.indexOf(from.closest("tr")?.querySelector("a.name"));
          return names[now < 0 ? (way > 0 ? 0 : names.length - 1) : now + way];
        };
        const go = (path) => { location.href = base + path; };
        document.addEventListener("keydown", (event) => {
          if (event.key === "Escape" && menu?.open) {
            menu.open = false;
            menu.firstElementChild.focus();
          }
          if (!base || event.ctrlKey || event.metaKey || event.altKey || store.get() === "off") return;
          if (event.target.closest("input:not([type=checkbox]),textarea,select,[contenteditable]")) return;
          const row = step(event);
          const search = document.getElementById("q"), edit = document.querySelector("a.edit");
          if (row) row.focus();
          else if (event.key === "/") { if (search) search.focus(); else go("links#q"); }
          else if (event.key === "n" && "edit" in body.dataset) go("new#destination");
          else if (event.key === "e" && edit) edit.click();
          else if (event.key === "?") go("help");
          else return;
          event.preventDefault();
        });
        for (const form of all("form[data-wait]")) {
          const live = form.querySelector(".live"), file = form.querySelector("input[type=file]");
          let isAsked = false, isAsking = false;
          form.addEventListener("submit", async (event) => {
            if (isAsked || !form.requestSubmit) return;
            event.preventDefault();
            if (isAsking) return;
            if (file?.files[0]?.size > form.dataset.max) {
              live.textContent = form.dataset.large;
              return file.focus();
            }
            live.textContent = form.dataset.wait;
            // What was chosen and pasted stays here while somebody signs in again.
            isAsking = true;
            const answer = await fetch(base + "session", { signal: AbortSignal.timeout?.(15000) }).catch(() => null);
            isAsking = false;
            if (answer?.status === 401) return void (live.textContent = form.dataset.ended);
            isAsked = true;
            form.requestSubmit(event.submitter);
            isAsked = false;
          });
        }
        for (const form of all("form[data-kept]")) {
          let isKept = true;
          form.addEventListener("submit", () => { isKept = false; });
          addEventListener("beforeunload", (event) => { if (isKept) event.preventDefault(); });
        }
        for (const form of all("form[data-check]")) {
          const touched = new Set(), live = form.querySelector(".live");
          const draft = document.querySelector("#draft>div"), old = document.querySelector("#draft>.old");
          let timer, isAsking = false, isLate = false, isTyped = "typed" in form.dataset, shown = "";
          form.addEventListener("submit", () => { isTyped = false; });
          addEventListener("beforeunload", (event) => { if (isTyped) event.preventDefault(); });
          const fill = (box, faults) => {
            // What was said is not said again to those who listen.
            const markup = faults.map((fault) => fault.markup).join("");
            if (box.dataset.said === markup) return;
            box.dataset.said = markup;
            box.replaceChildren(...faults.map((fault) => {
              const p = document.createElement("p");
              p.className = "fault";
              p.innerHTML = fault.markup;
              return p;
            }));
          };
          const check = async () => {
            if (isAsking) return void (isLate = true);
            isAsking = true;
            const answer = await fetch(base + "check", {
              method: "POST", body: new URLSearchParams(new FormData(form)),
              signal: AbortSignal.timeout?.(15000),
            }).catch(() => null);
            isAsking = false;
            if (isLate) {
              isLate = false;
              return check();
            }
            if (!answer?.ok) old.hidden = !draft.querySelector(".rows");
            if (!answer) return;
            if (!answer.ok) {
              live.textContent = { 401: form.dataset.ended, 413: form.dataset.long }[answer.status] ?? "";
              return;
            }
            const found = await answer.json();
            for (const name of touched) {
              const input = document.getElementById(name), box = document.getElementById(name + "-faults");
              if (!input || !box) continue;
              const faults = found.errors.filter((fault) => fault.field === name);
              fill(box, faults);
              box.parentNode.classList.toggle("wrong", faults.length > 0);
              if (faults.length) input.setAttribute("aria-invalid", "true");
              else input.removeAttribute("aria-invalid");
            }
            old.hidden = !!found.draft || !draft.querySelector(".rows");
            if (found.draft && found.draft !== shown) draft.innerHTML = shown = found.draft;
            live.textContent = found.url && "slug" in form.elements && form.elements.slug.value ? found.url : "";
          };
          form.addEventListener("input", (event) => {
            const input = event.target, name = input.name.replace(/-url$/, "");
            if (name !== input.name && input.value) form.elements[name].value = "url";
            touched.add(name);
            isTyped = true;
            clearTimeout(timer);
            timer = setTimeout(check, 500);
          });
        }
        })();

        """
}
