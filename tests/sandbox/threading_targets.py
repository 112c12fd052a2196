"""A module whose import leaves a thread running, as pandas' import does where pyarrow is installed."""
import threading

threading.Thread(target=threading.Event().wait, daemon=True).start()
